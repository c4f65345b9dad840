/**
 * The safety devices of Kurir, each with what breaks it. `device` stands exactly once in `file`, as an expression;
 * `broken` takes its place while the mutant is chosen (`kurir prove --mutants`).
 *
 * @type {readonly { name: string; about: string; file: string; device: string; broken: string }[]}
 */
export const MUTANTS = [
  {
    name: 'synced-commit',
    about: 'a commit waits for the disk',
    file: 'stores/embedded/database/database.ts',
    device: "'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL'",
    broken: "'PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF'",
  },
  {
    name: 'fence',
    about: 'a hand-off passes the fence before the first byte of the mail',
    file: 'consumers/dispatch/steps/hand-off.ts',
    device: 'state.leaseLapsed || !(await storeFence(deps, message, mail, state))',
    broken: 'false',
  },
  {
    name: 'unknown-hand-off',
    about: 'a mail whose answer was lost is not handed over again',
    file: 'email/transports/mail-transaction.ts',
    device: "this.complete ? { kind: 'unknown', reason: oneLine(reason) } : notSent(reason)",
    broken: 'notSent(reason)',
  },
  {
    name: 'balance',
    about: 'a row of the ledger moves the balance with it',
    file: 'stores/embedded/ledger/coin-ledger.ts',
    device: 'moveBalance(db, entry.workspaceId, entry.amount)',
    broken: "entry.kind === 'refund' ? undefined : moveBalance(db, entry.workspaceId, entry.amount)",
  },
  {
    name: 'ledger-id',
    about: 'a row of the ledger exists once',
    file: 'stores/embedded/ledger/coin-ledger.ts',
    device: "db.get('SELECT 1 FROM ledger WHERE workspace_id = ? AND id = ?', entry.workspaceId, entry.id)",
    broken: 'undefined',
  },
  {
    name: 'late-debit',
    about: 'evidence that comes late is paid for',
    file: 'domain/messages/apply-feedback.ts',
    device: 'message.reopenable ? [lateDebit(message.workspaceId, message.id, at)] : []',
    broken: '[]',
  },
  {
    name: 'past-the-fence',
    about: 'only a mail past the fence can have been reported on',
    file: 'domain/messages/apply-feedback.ts',
    device: "message.fencedAt !== null && message.status !== 'queued'",
    broken: 'true',
  },
  {
    name: 'suppression-at-claim',
    about: 'the filter list is looked at again at the claim',
    file: 'domain/queue/claim.ts',
    device: 'standing.listed()',
    broken: 'false',
  },
  {
    name: 'coin-at-claim',
    about: 'a claim needs a coin',
    file: 'domain/queue/claim.ts',
    device: 'standing.coinLeft ? null : texts.noCoins',
    broken: 'null',
  },
  {
    name: 'backoff',
    about: 'a refused mail waits before it is tried again',
    file: 'domain/messages/retry-schedule.ts',
    device: 'Math.min(now + delay, end)',
    broken: 'now + 5000',
  },
  {
    name: 'retry-limit',
    about: 'retries end after three days',
    file: 'domain/messages/retry-schedule.ts',
    device: 'now >= end',
    broken: 'false',
  },
  {
    name: 'event-id',
    about: 'an event is delivered under one id',
    file: 'domain/webhooks/webhook-delivery.ts',
    device: "key ?? reason ?? ''",
    broken: 'String(Math.random())',
  },
  {
    name: 'outbox',
    about: 'what a commit says is in the log with it',
    file: 'stores/embedded/group-commit.ts',
    device: 'records.forEach(emit)',
    broken: 'void records',
  },
];
