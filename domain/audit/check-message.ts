import { checkAttempts } from './check-attempts';
import { checkAttachments, checkBody } from './check-content';
import { checkDeadline } from './check-deadline';
import { checkDispatched, checkFence } from './check-hand-off';
import { checkHistory } from './check-history';
import { checkReason } from './check-reason';
import { checkOwner } from './check-owner';
import { checkValues, hasKnownStatus } from './check-values';
import type { Difference } from './difference';
import type { MessageRecord } from './message-record';

type Rule = (record: MessageRecord) => readonly Difference[];

/** Rules for every message, whatever its status. */
const RULES: readonly Rule[] = [checkValues, checkHistory, checkBody, checkOwner];
/** Rules that depend on the status; they need a known status. */
const RULES_OF_A_STATUS: readonly Rule[] = [
  checkAttempts,
  checkFence,
  checkDispatched,
  checkReason,
  checkDeadline,
  checkAttachments,
];

/** Every rule about one message, except those about coins and the clock. */
export const checkMessage = (record: MessageRecord): readonly Difference[] => {
  const found: Difference[] = [];
  for (const rule of RULES) found.push(...rule(record));
  if (hasKnownStatus(record)) for (const rule of RULES_OF_A_STATUS) found.push(...rule(record));
  return found;
};
