import { checkCampaign } from '../../domain/audit/check-campaign';
import { checkDayCounters, countDays } from '../../domain/audit/check-days';
import { findOverdue } from '../../domain/audit/check-deadline';
import { checkDerived } from '../../domain/audit/check-derived';
import { checkListCount } from '../../domain/audit/check-lists';
import { checkEnrolment, findOverdueStep } from '../../domain/audit/check-enrolment';
import { checkEngagement } from '../../domain/audit/check-engagement';
import { checkMessage } from '../../domain/audit/check-message';
import { checkPenalties } from '../../domain/audit/check-penalties';
import { wasTaken } from '../../domain/audit/check-hand-off';
import { checkReceived, wasHandedOverBefore, type Received } from '../../domain/audit/check-received';
import { unless } from '../../domain/audit/difference';
import { IdempotencyCheck } from '../../domain/audit/idempotency-check';
import { LedgerTally } from '../../domain/audit/ledger-tally';
import { compareCoins, findUnbooked } from '../../domain/audit/message-coins';
import type { MessageRecord } from '../../domain/audit/message-record';
import type { LedgerEntry } from '../../domain/ledger/coins';
import type { ReceivedMails } from '../../sandbox/received-mails';
import type { WorkspaceSnapshot } from '../../stores/ports/audit-source';
import type { AuditFindings } from './audit-findings';
import { auditConversions } from './audit-conversions';
import { auditWebhooks } from './audit-webhooks';
import type { OverdueSteps } from './overdue-steps';
import type { OverdueSuspects } from './overdue-suspects';

export interface WorkspaceContext {
  findings: AuditFindings;
  suspects: OverdueSuspects;
  steps: OverdueSteps;
  sandbox: ReceivedMails | undefined;
  /** Id of the newest mail in the sandbox before the snapshot was taken. */
  receivedBefore: number;
  /** The highest rate of premium accounts that ever was in force, mails a minute. */
  premiumPerMinute: number;
}

/** Applies every rule to one workspace, as of the snapshot. */
export async function auditWorkspace(
  workspaceId: number,
  snapshot: WorkspaceSnapshot,
  context: WorkspaceContext,
): Promise<void> {
  const { findings } = context;
  findings.count('workspaces');
  const exists = await snapshot.exists();
  findings.report(unless(exists, 'workspace', `workspace ${workspaceId}`, 'a workspace', 'none, though data names it'));
  const messages = await auditMessages(snapshot, context);
  const tally = new LedgerTally(await snapshot.coins.account(), context.premiumPerMinute);
  for await (const rows of snapshot.coins.ledger()) {
    findings.count('ledger_rows', rows.length);
    for (const row of rows) findings.report(tally.add(row));
    await findings.rest();
  }
  findings.report(tally.settle(messages.coins));
  for await (const faults of snapshot.derived.faults()) {
    findings.report(faults.map(checkDerived));
    await findings.rest();
  }
  await auditClaims(workspaceId, snapshot, findings, messages.attempts);
  for await (const penalties of snapshot.coins.penalties()) {
    for (const record of penalties) {
      findings.count('penalties', record.booked.length);
      findings.report(checkPenalties(record));
    }
    await findings.rest();
  }
  const keys = new IdempotencyCheck();
  for await (const records of snapshot.idempotencyKeys()) {
    findings.count('idempotency_keys', records.length);
    for (const record of records) findings.report(keys.add(record));
    await findings.rest();
  }
  for await (const counts of snapshot.derived.lists()) {
    findings.count('list_counts', counts.length);
    for (const count of counts) findings.report(checkListCount(workspaceId, count));
    await findings.rest();
  }
  await auditEngagement(snapshot, findings);
  for await (const campaigns of snapshot.campaigns()) {
    findings.count('campaigns', campaigns.length);
    for (const campaign of campaigns) findings.report(checkCampaign(campaign));
    await findings.rest();
  }
  await auditEnrolments(workspaceId, snapshot, context);
  await auditConversions(snapshot.conversions, findings);
  await auditWebhooks(snapshot.webhooks, findings);
}

/** Sums over the messages of a workspace. */
interface MessageSums {
  /** Coins these messages account for in the balance, judged by their own facts. */
  coins: number;
  attempts: number;
}

async function auditMessages(snapshot: WorkspaceSnapshot, context: WorkspaceContext): Promise<MessageSums> {
  const { findings, suspects, sandbox, receivedBefore } = context;
  const alive = await snapshot.aliveUntil();
  const sums: MessageSums = { coins: 0, attempts: 0 };
  const coins = new MessageCoins(snapshot, findings);
  for await (const records of snapshot.messages()) {
    findings.count('messages', records.length);
    const ids = records.map(({ message }) => message.id);
    const received = sandbox && readReceived(sandbox, ids, receivedBefore);
    for (const record of records) {
      sums.attempts += record.attempts.length;
      findings.report(checkMessage(record));
      sums.coins += await coins.check(record);
      suspects.add(findOverdue(record.message, alive));
      if (received) compareReceived(record, received, context);
    }
    await findings.rest();
  }
  findings.count('attempts', sums.attempts);
  return sums;
}

interface ReceivedOfPage {
  counts: ReadonlyMap<string, Received>;
  since: number | null;
}

/** Asks for the ownership last: if the sandbox is emptied in between, these mails count as before it. */
function readReceived(sandbox: ReceivedMails, ids: readonly string[], upTo: number): ReceivedOfPage {
  const counts = sandbox.count(ids, upTo);
  return { counts, since: sandbox.ownership().since };
}

function compareReceived(
  record: MessageRecord,
  { counts, since }: ReceivedOfPage,
  { findings }: WorkspaceContext,
): void {
  const received = counts.get(record.message.id) ?? { before: 0, total: 0 };
  if (received.total === 0 && wasTaken(record) && wasHandedOverBefore(record, since)) findings.notCompared += 1;
  else findings.report(checkReceived(record, received));
}

/** Checks the coins of messages. Reads the entries on their way to the ledger only when a first row is missing. */
class MessageCoins {
  private pending: ReadonlyMap<string, LedgerEntry> | null = null;

  constructor(
    private readonly snapshot: WorkspaceSnapshot,
    private readonly findings: AuditFindings,
  ) {}

  /** Returns the coins the message accounts for in the balance, judged by its own facts. */
  async check(record: MessageRecord): Promise<number> {
    const { owed, missing, differences } = compareCoins(record);
    this.findings.report(differences);
    if (missing.length === 0) return owed;
    this.pending ??= await this.snapshot.coins.pendingEntries();
    const unbooked = findUnbooked(record.message.id, missing, this.pending);
    this.findings.report(unbooked.differences);
    return owed - unbooked.onTheirWay;
  }
}

async function auditClaims(
  workspaceId: number,
  snapshot: WorkspaceSnapshot,
  findings: AuditFindings,
  ofMessages: number,
): Promise<void> {
  const days = new Map<string, number>();
  let claims = 0;
  for await (const times of snapshot.claims()) {
    claims += times.length;
    countDays(days, times);
    await findings.rest();
  }
  const subject = `workspace ${workspaceId}`;
  findings.report(unless(claims === ofMessages, 'claim-message', subject, `${ofMessages} claims`, `${claims} claims`));
  findings.report(checkDayCounters(workspaceId, days, await snapshot.derived.dayCounters()));
}

async function auditEnrolments(
  workspaceId: number,
  snapshot: WorkspaceSnapshot,
  { findings, steps }: WorkspaceContext,
): Promise<void> {
  const alive = await snapshot.aliveUntil();
  for await (const records of snapshot.enrolments()) {
    findings.count('enrolments', records.length);
    for (const record of records) {
      findings.report(checkEnrolment(record));
      steps.add(workspaceId, findOverdueStep(record, alive));
    }
    await findings.rest();
  }
}

async function auditEngagement(snapshot: WorkspaceSnapshot, findings: AuditFindings): Promise<void> {
  for await (const records of snapshot.derived.engagement()) {
    for (const record of records) {
      findings.count('engagement_rows', record.kept.length);
      findings.report(checkEngagement(record));
    }
    await findings.rest();
  }
}
