/** Every rule of the audit: its name, and what holds on data that is right. */
export const AUDIT_RULES = {
  balance: 'the balance is the sum of the ledger',
  'balance-by-messages': 'the balance is what was given, less what the facts of the messages cost',
  purchase: 'an account is marked as having bought coins exactly when a top-up was booked',
  'ledger-row': 'a ledger row has the id, the message and the amount of its kind',
  'ledger-message': 'the message of a ledger row exists in its workspace',
  'message-coins': 'a message has the ledger rows of its attempts and its end, each once, and no others',
  'penalty-window': 'one penalty for an address and reason in 24 hours',
  'penalty-gate': 'the gate of an address and reason is at its last penalty',
  workspace: 'the workspace that anything belongs to exists',
  value: 'a field of several words holds one of them, and metadata can be read',
  status: 'the status is the last entry of the history',
  history: 'the history is a path of the transition table, from the acceptance on',
  attempts: 'there is an attempt for every time the message was claimed, ended as the message says',
  fence: 'a message in other hands passed the fence, one in the queue did not',
  dispatched: 'dispatched_at is the time of the hand-off, and null before',
  reason: 'failed_reason is filled where the contract says so, and nowhere else',
  deadline: 'a message that is not final has an owner and a deadline, a final one has none',
  overdue: 'no deadline passed while the service ran',
  attachments: 'attachments are gone after hand-off or four days',
  owner: 'domain and contact of a message are of its workspace; without its contact it is anonymous',
  body: 'every message of a contact that is there has its body, which is not empty',
  'content-message': 'a body or an attachment belongs to a message that exists',
  position: 'no consumer group is past the end of its log',
  'derived-fields': 'what an engine keeps to find things by says what the data says',
  engagement: 'the roll-ups of a contact are what its signals add up to',
  idempotency: 'an idempotency key belongs to one message, which exists in its workspace',
  'send-rate': 'no more claims in any 60 s than the account may make',
  'send-day': 'no more than 300 claims a WIB day on a free account',
  'day-counter': 'the counter of a WIB day is the number of claims made on it',
  'platform-counter': 'the platform counter of a WIB day is the sum of those of the workspaces',
  'claim-message': 'every claim belongs to a message',
  'list-count': 'what totals and pages of lists are made of is the number of items there are',
  'received-once': 'the sandbox received each message at most once',
  received: 'the sandbox received what was handed over, and nothing else',
  'received-message': 'the message of a mail in the sandbox exists',
} as const;

export type AuditRule = keyof typeof AUDIT_RULES;

/** One thing that is not as the rest of the data says, with both figures. */
export interface Difference {
  rule: AuditRule;
  /** What it is about: a message id, `workspace 3`, a ledger id ... */
  subject: string;
  expected: string;
  found: string;
  detail?: string;
}

/** The answer of most rules most of the time. */
export const NO_DIFFERENCE: readonly Difference[] = Object.freeze([]);

/** A difference when the condition does not hold. */
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

/** A time in ms as people read it; also one that no calendar has. */
export function showTime(at: number | null): string {
  if (at === null) return 'none';
  return Math.abs(at) <= MAX_TIME ? new Date(at).toISOString() : `${at} ms`;
}

/** Coins with their sign. */
export const showCoins = (amount: number): string => (amount > 0 ? `+${amount}` : String(amount));
