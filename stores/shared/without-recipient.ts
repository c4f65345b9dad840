import { erasedFacts, erasureOf } from '../../domain/erasure';
import type { Acceptance } from '../ports/message-store';

/** An acceptance whose contact was deleted in this very moment, as it is stored: without its body, which nobody will need. */
export function withoutRecipient(acceptance: Acceptance): Acceptance {
  const { facts } = acceptance;
  const erased = facts.to === null ? facts : erasedFacts(facts, erasureOf({ email: facts.to, name: null }));
  return { ...acceptance, facts: erased, attachments: [], attachmentsUntil: null };
}
