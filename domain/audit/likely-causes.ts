import type { AuditRule } from './difference';

const EDITED = 'the data was changed by something other than Kurir, or a bug';
const LOST_WRITES = 'files of different moments were put together, or the disk lost writes that it had confirmed';
const OLD_SANDBOX =
  "the store and the sandbox's file are of different moments, such as a restored store beside a newer sandbox; kurir backup takes both at once";

/** What most likely happened when a rule does not hold: the sentence goes on after "likely cause:". */
export const LIKELY_CAUSES: Readonly<Record<AuditRule, string>> = {
  balance: `a balance was changed without a ledger row: ${EDITED}`,
  'balance-by-messages': `coins were booked, or not booked, against what the messages say: ${EDITED}`,
  purchase: `a top-up was added or deleted by hand, or the account row was edited: ${EDITED}`,
  'ledger-row': `a ledger row was edited or written by hand: ${EDITED}`,
  'ledger-message': `messages were deleted from the store by hand while their ledger rows stayed`,
  'message-coins': `a debit, refund or penalty is missing or doubled: ${LOST_WRITES}`,
  'penalty-window': `two penalties were booked within a day: a clock was set back, or ${EDITED}`,
  'penalty-gate': `the gate and the ledger are of different moments: ${LOST_WRITES}`,
  workspace: 'a workspace was deleted from the store by hand while its data stayed',
  value: `a field was written by hand, or by a newer version of Kurir`,
  status: `a status was changed without its history: ${EDITED}`,
  history: `a history was edited, or a clock was set back far: ${EDITED}`,
  attempts: `attempts and messages are of different moments: ${LOST_WRITES}`,
  fence: `the fence of a message was changed by hand: ${EDITED}`,
  dispatched: `dispatched_at was changed without the history: ${EDITED}`,
  reason: `failed_reason was changed by hand, or by another version of Kurir`,
  deadline: `a deadline was removed or left behind: ${EDITED}`,
  overdue: 'the timers do not run or are stuck; see kurir doctor and the log of the service',
  attachments: 'the timers were stopped for days, or attachments were deleted by hand',
  owner: 'a domain or contact was moved or deleted by hand, or a deletion of a contact was cut off by hand',
  body: 'bodies were deleted by hand to save space',
  'content-message': 'messages were deleted by hand while their bodies or attachments stayed',
  position: 'the event log was deleted, or restored from an older moment than the positions of its readers',
  'derived-fields': 'documents were edited by hand, or another version of Kurir wrote them without the derived fields',
  engagement: `signals or roll-ups were deleted by hand, or an older version of Kurir wrote beside a newer one`,
  idempotency: 'messages were deleted by hand while their idempotency keys stayed',
  'send-rate': 'two installations sent for one account at the same time, or a clock was set back',
  'send-day': 'two installations sent for one account at the same time, or a clock was set back',
  'day-counter': `the counter and the claims are of different moments: ${LOST_WRITES}`,
  'platform-counter': `a day counter was edited: ${EDITED}`,
  'claim-message': 'messages were deleted by hand while their attempts stayed',
  'list-count': 'rows were added or deleted by hand, or an older version of Kurir wrote beside a newer one',
  'campaign-rows': `rows of a manifest were added or deleted by hand: ${EDITED}`,
  'campaign-messages': `manifest and messages are of different moments: ${LOST_WRITES}`,
  'campaign-counts': `a counter of a campaign was edited: ${EDITED}`,
  'campaign-work': 'due tasks were deleted by hand, or the status of a campaign was edited',
  'webhook-event': `deliveries were deleted by hand, or an older version of Kurir stored the event: ${EDITED}`,
  'webhook-once': `a delivery was added by hand: ${EDITED}`,
  'webhook-attempts': `the attempts or the state of a delivery were edited: ${EDITED}`,
  'webhook-task': `deliveries and their due tasks are of different moments: ${LOST_WRITES}`,
  'received-once': `a message was handed over twice: ${OLD_SANDBOX}`,
  received: OLD_SANDBOX,
  'received-message': OLD_SANDBOX,
};
