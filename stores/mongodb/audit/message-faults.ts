import { showValue, type DerivedFault } from '../../../domain/audit/check-derived';
import { isCount } from '../../../domain/audit/ledger-numbers';
import type { MessageDocument } from '../database/documents';
import { stageOf } from '../messages/message-codec';

/** The fields this driver stores to find messages by, and what each is derived from. */
export const DERIVED = {
  status: 1,
  fencedAt: 1,
  unknown: 1,
  attachmentsUntil: 1,
  attempts: 1,
  'outbox.v': 1,
  version: 1,
  stage: 1,
  claimedAt: 1,
  dropping: 1,
  outboxAt: 1,
} as const;
export type Derived = Pick<MessageDocument, '_id' | 'status' | 'fencedAt' | 'unknown' | 'attachmentsUntil'> &
  Partial<Record<'version' | 'stage' | 'claimedAt' | 'dropping' | 'outboxAt', unknown>> & {
    attempts?: { claimedAt?: number }[];
    outbox?: unknown[];
  };

/**
 * Checks this driver's own derived fields. With a wrong one, the timers, the rate or the sweeper would miss a message,
 * and a change would never find it.
 */
export function messageFaults(message: Derived): DerivedFault[] {
  const { _id: subject, version, stage, claimedAt, dropping, attachmentsUntil, outbox, outboxAt } = message;
  const found: DerivedFault[] = [];
  const follows = (field: string, wanted: unknown, is: unknown): void => {
    if (is === wanted) return;
    found.push({ subject, expected: `${field} ${showValue(wanted)}`, found: `${field} ${showValue(is)}` });
  };
  follows('stage', stageOf(message), stage);
  follows('claimedAt', message.attempts?.at(-1)?.claimedAt, claimedAt);
  if (dropping !== undefined) {
    const expected = attachmentsUntil === null ? true : undefined;
    follows('dropping', expected, dropping);
  }
  if (!isCount(version)) {
    found.push({ subject, expected: 'a version from 1 on', found: `version ${showValue(version)}` });
  }
  const waits = (outbox?.length ?? 0) > 0;
  if (waits !== (typeof outboxAt === 'number')) {
    const expected = waits ? 'the time since when records wait' : 'no time, since no records wait';
    found.push({ subject, expected: `outboxAt: ${expected}`, found: `outboxAt ${showValue(outboxAt)}` });
  }
  return found;
}
