import { hintOf } from '../domain/addresses/address-hint';
import type { Contact } from '../domain/contacts/contact';

/** Whoever acts, for the audit trail. Callers without a name in it leave it out: the REST API, pages, consumers. */
export interface Trail {
  /** Writes a line, durable once it resolves: it comes before the action it records. */
  note?: ((action: string, target: string, workspaceId: number | null) => Promise<void>) | undefined;
}

/** An address in the trail, which is never deleted: enough to recognise a known address, and its keyed hash. */
export const traceOf = ({ email, emailHash }: Pick<Contact, 'email' | 'emailHash'>): string =>
  `${hintOf(email)} #${emailHash}`;
