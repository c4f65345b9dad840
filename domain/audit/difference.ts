/** Every rule of the audit: its name, and what holds when the data is correct. */
export const AUDIT_RULES = {
  balance: 'the balance is the sum of the ledger',
  'balance-by-messages': 'the balance is the coins given, minus the cost of the messages',
  purchase: 'an account is marked as a buyer if and only if a top-up was booked',
  'ledger-row': 'a ledger entry has the id, message and amount of its kind',
  'ledger-message': 'the message of a ledger entry exists in its workspace',
  'message-coins': 'a message has the ledger entries for its attempts and its outcome, each once, and no others',
  'penalty-window': 'at most one penalty per address and reason in 24 hours',
  'penalty-gate': 'the penalty marker of an address and reason has the time of its last penalty',
  workspace: 'every workspace that data belongs to exists',
  value: 'a field with fixed words holds one of them, and metadata can be read',
  status: 'the status is the last entry of the history',
  history: 'the history follows the transition table, starting with acceptance',
  attempts: 'there is one attempt per claim, with an outcome that matches the message',
  fence: 'a message that was sent has passed the fence, and a queued one has not',
  dispatched: 'dispatched_at is the time of the hand-off, and null before it',
  reason: 'failed_reason is set exactly where the contract says so',
  deadline: 'a message that is not final has an owner and a deadline, and a final one has neither',
  overdue: 'no deadline passed while the service ran',
  attachments: 'attachments are deleted after the hand-off or four days',
  owner: 'domain and contact of a message belong to its workspace; without a contact it is anonymous',
  body: 'every message of an existing contact has a body that is not empty',
  'content-message': 'a body or an attachment belongs to a message that exists',
  position: 'no consumer group is past the end of its log',
  'derived-fields': 'fields that an engine derives for look-ups match the data',
  engagement: 'the totals of a contact match the sum of its signals',
  idempotency: 'an idempotency key belongs to one message, which exists in its workspace',
  'send-rate': 'no more claims in any 60 s than the account allows',
  'send-day': 'no more than 300 claims per day (WIB) on a free account',
  'day-counter': 'the counter of a day (WIB) is the number of claims on that day',
  'platform-counter': "the installation's counter of a day (WIB) is the sum of the workspaces' counters",
  'claim-message': 'every claim belongs to a message',
  'list-count': 'the counters behind totals and pages match the actual items',
  'campaign-rows': 'the counters of a campaign match its recipient list',
  'campaign-messages': 'each recipient of a campaign that got a message has it, and vice versa',
  'campaign-counts': 'the recipients of a campaign are those delivered, bounced, failed, skipped, pending and sending',
  'campaign-tally': 'opens, clicks and unsubscribes of a campaign, with and without bots, match its signals',
  'campaign-work': 'a campaign that is live or scheduled has its due work, and a completed one has nothing left',
  'enrollment-version': 'an enrollment belongs to an existing version of its journey',
  'enrollment-steps': 'an enrollment ran every step once, in the order of its version, up to its current step',
  'enrollment-left': 'an enrollment that ended has a time and a reason, and ran no step after it',
  'enrollment-mail': 'an email step that ran has its message, and no other step has one',
  'enrollment-work': 'an enrollment has its due work until it ends',
  'journey-post': 'a webhook step has one request, with at most five attempts, and a due task while it waits',
  'conversion-link': 'a sale is linked to its last qualifying click, as far as the consumer group has read',
  'conversion-message': 'a sale names the message of its click, and the campaign of that message',
  'conversion-work': 'a sale that waits has its due work, and a linked one has none',
  'webhook-event': 'an event has a delivery for every webhook that was active and selects it',
  'webhook-once': 'an event has at most one delivery per webhook',
  'webhook-attempts': 'a delivery has at most five attempts, plus those it was retried or replayed for',
  'webhook-task': 'a delivery that waits has its due task, and no other has one',
  'received-once': 'the sandbox received each message at most once',
  received: 'the sandbox received every message that was sent, and nothing else',
  'received-message': 'every email in the sandbox belongs to an existing message',
} as const;

export type AuditRule = keyof typeof AUDIT_RULES;

/** A contradiction in the data, with the expected and the found value. */
export interface Difference {
  rule: AuditRule;
  /** The subject: a message id, `workspace 3`, a ledger id ... */
  subject: string;
  expected: string;
  found: string;
  detail?: string;
}

/** The usual result of a rule. */
export const NO_DIFFERENCE: readonly Difference[] = Object.freeze([]);

/** Returns a difference when the condition does not hold. */
export function unless(
  holds: boolean,
  rule: AuditRule,
  subject: string,
  expected: string,
  found: string,
): readonly Difference[] {
  return holds ? NO_DIFFERENCE : [{ rule, subject, expected, found }];
}

const MAX_TIME = 8.64e15;

/** A time in ms in readable form; also for one outside the calendar. */
export function showTime(at: number | null): string {
  if (at === null) return 'none';
  return Math.abs(at) <= MAX_TIME ? new Date(at).toISOString() : `${at} ms`;
}

/** Coins with their sign. */
export const showCoins = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));
