import { OWN_REASONS, type SuppressionReason } from '../../domain/contacts/suppression';
import { EMAIL_NAMES } from './contact-row';
import { canonicalAddress, isEmailAddress } from '../rules/email-address';

/**
 * The columns of a file of suppressions, each with its other names. `email` must be there; a line without one has the
 * hash.
 */
export const SUPPRESSION_COLUMNS = { email: EMAIL_NAMES, address_hash: [], reason: [] } as const;
export type SuppressionColumn = keyof typeof SUPPRESSION_COLUMNS;

/** A line of such a file. The address is in its canonical spelling. */
export type SuppressionRow = { reason: SuppressionReason } & ({ email: string } | { addressHash: string });

const HASH = /^[\w-]{22}$/;

/**
 * Checks the cells of a line for a workspace's list or the global one. Returns what is wrong in one sentence otherwise.
 */
export function checkSuppressionRow(
  cells: Readonly<Partial<Record<SuppressionColumn, string>>>,
  global: boolean,
): SuppressionRow | string {
  const [email = '', hash = '', word = ''] = [cells.email, cells.address_hash, cells.reason].map((cell) =>
    cell?.trim(),
  );
  const reasons: readonly SuppressionReason[] = global ? ['global'] : OWN_REASONS;
  const reason = reasons.find((known) => known === (word.toLowerCase() || (global ? 'global' : 'manual')));
  if (reason === undefined) return `The reason must be one of ${reasons.join(', ')}.`;
  if (email === '' && hash === '') return 'The email field is required.';
  if (email === '')
    return HASH.test(hash) ? { reason, addressHash: hash } : 'The address_hash is not one of an export.';
  if (!isEmailAddress(email)) return 'The email field must be a valid email address.';
  return { reason, email: canonicalAddress(email) };
}
