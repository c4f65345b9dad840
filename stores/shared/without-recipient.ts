import { erasedFields, erasureOf } from '../../domain/addresses/erasure';
import type { Acceptance } from '../ports/message-store';

/**
 * The acceptance as it is stored if its contact is deleted at the same moment: without the recipient and the
 * attachments. Its body is not stored either.
 */
export function withoutRecipient(acceptance: Acceptance): Acceptance {
  const { facts } = acceptance;
  const erased = facts.to === null ? facts : erasedFields(facts, erasureOf({ email: facts.to, name: null }));
  return { ...acceptance, facts: erased, attachments: [], attachmentsUntil: null };
}
