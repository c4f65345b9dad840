import { checkAttempts } from './check-attempts';
import { checkAttachments, checkBody } from './check-content';
import { checkDeadline } from './check-deadline';
import { checkDispatched, checkFence } from './check-hand-off';
import { checkHistory } from './check-history';
import { checkReason } from './check-reason';
import { checkOwner } from './check-owner';
import type { Difference } from './difference';
import type { MessageRecord } from './message-record';

const RULES = [
  checkHistory,
  checkAttempts,
  checkFence,
  checkDispatched,
  checkReason,
  checkDeadline,
  checkAttachments,
  checkBody,
  checkOwner,
];

/** Every rule about one message, but for its coins and what is measured against the clock. */
export const checkMessage = (record: MessageRecord): readonly Difference[] => {
  const found: Difference[] = [];
  for (const rule of RULES) for (const difference of rule(record)) found.push(difference);
  return found;
};
