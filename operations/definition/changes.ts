import { hintOf } from '../../domain/addresses/address-hint';
import type { Keyring } from '../../domain/keyring';
import { UsageError } from './errors';

/** Refuses a change in which nothing is given. Throws UsageError; `fix` names the options. */
export function requireChange(options: object, fix: string, label: string | null = null): void {
  if (Object.values(options).some((value) => value !== undefined)) return;
  throw new UsageError('Nothing to change.', fix, label);
}

/**
 * An address in the operator's audit trail, which is never deleted: enough to recognise a known address, and its keyed
 * hash.
 */
export const traceOf = (keyring: Keyring, email: string): string => `${hintOf(email)} #${keyring.hashAddress(email)}`;
