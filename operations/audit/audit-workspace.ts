import type { OwnRate } from '../../domain/queue/send-rate';
import { checkCampaign } from '../../domain/audit/check-campaign';
import { checkDayCounters, countDays } from '../../domain/audit/check-days';
import { findOverdue } from '../../domain/audit/check-deadline';
import { checkDerived } from '../../domain/audit/check-derived';
import { checkListCount } from '../../domain/audit/check-lists';
import { checkEnrollment, findOverdueStep } from '../../domain/audit/check-enrollment';
import { checkEngagement } from '../../domain/audit/check-engagement';
import { checkMessage } from '../../domain/audit/check-message';
import { checkPenalties } from '../../domain/audit/check-penalties';
import { wasTaken } from '../../domain/audit/check-hand-off';
import { checkReceived, wasHandedOverBefore, type Received } from '../../domain/audit/check-received';
import { unless } from '../../domain/audit/difference';
import { IdempotencyCheck } from '../../domain/audit/idempotency-check';
import { LedgerNumbers } from '../../domain/audit/ledger-numbers';
import { LedgerTally } from '../../domain/audit/ledger-tally';
import type { MessageRecord } from '../../domain/audit/message-record';
import type { ReceivedMails } from '../../sandbox/received-mails';
import type { AuditSnapshot, Kept, SnapshotWithLog } from '../../stores/ports/audit-source';
import { keyRecords, ledgerRecords, penaltyRecords } from './account-records';
import { auditConversions } from './audit-conversions';
import type { AuditFindings } from './audit-findings';
import { auditWebhooks } from './audit-webhooks';
import { campaignRecords } from './campaign-records';
import { engagementRecords } from './engagement-records';
import { enrollmentRecords } from './enrollment-records';
import { listCounts } from './list-counts';
import { MessageCoins } from './message-coins';
import { messageRecords } from './message-records';
import type { OverdueSuspects } from './overdue-suspects';
import { find, readAliveUntil } from './rows';

export interface WorkspaceContext {
  findings: AuditFindings;
  kept: Kept;
  messages: OverdueSuspects;
  steps: OverdueSuspects;
  sandbox: ReceivedMails | undefined;
  /** Id of the newest mail in the sandbox before the snapshot was taken. */
  receivedBefore: number;
}

/** Applies every rule to one workspace, as of the snapshot. */
export async function auditWorkspace(
  workspaceId: number,
  rows: SnapshotWithLog,
  context: WorkspaceContext,
): Promise<void> {
  const { findings, kept } = context;
  findings.count('workspaces');
  const [workspace] = await find(rows, 'workspaces', 'id', [workspaceId]);
  findings.report(
    unless(
      workspace !== undefined,
      'workspace',
      `workspace ${workspaceId}`,
      'a workspace',
      'none, though data refers to it',
    ),
  );
  const messages = await auditMessages(workspaceId, rows, context);
  await auditLedger(workspaceId, rows, context, { coins: messages.coins, rates: workspace?.rates ?? [] });
  await auditClaims(workspaceId, rows, findings, messages.attempts);
  await findings.check(null, penaltyRecords(rows, workspaceId), (record) => {
    findings.count('penalties', record.booked.length);
    return checkPenalties(record);
  });
  const keys = new IdempotencyCheck();
  await findings.check('idempotency_keys', keyRecords(rows, workspaceId), (record) => keys.add(record));
  await findings.check('list_counts', listCounts(rows, kept, workspaceId), (count) =>
    checkListCount(workspaceId, count),
  );
  await findings.check(null, engagementRecords(rows, kept, workspaceId), (record) => {
    findings.count('engagement_rows', record.kept.length);
    return checkEngagement(record);
  });
  await findings.check('campaigns', campaignRecords(rows, workspaceId), checkCampaign);
  const alive = await readAliveUntil(rows);
  const enrollments = enrollmentRecords(rows, rows.scan('enrollments', workspaceId));
  await findings.check('enrollments', enrollments, (record) => {
    context.steps.add(record.enrollment.id, findOverdueStep(record, alive));
    return checkEnrollment(record);
  });
  await auditConversions(rows, workspaceId, findings);
  await auditWebhooks(rows, workspaceId, findings);
}

/** Sums over the messages of a workspace. */
interface MessageSums {
  /** Coins these messages account for in the balance, judged by their own facts. */
  coins: number;
  attempts: number;
}

async function auditMessages(
  workspaceId: number,
  rows: SnapshotWithLog,
  context: WorkspaceContext,
): Promise<MessageSums> {
  const { findings, sandbox, receivedBefore } = context;
  const alive = await readAliveUntil(rows);
  const sums: MessageSums = { coins: 0, attempts: 0 };
  const coins = new MessageCoins(rows, workspaceId, findings);
  for await (const records of messageRecords(rows, workspaceId)) {
    findings.count('messages', records.length);
    const ids = records.map(({ message }) => message.id);
    const received = sandbox && readReceived(sandbox, ids, receivedBefore);
    for (const record of records) {
      sums.attempts += record.attempts.length;
      findings.report(checkMessage(record));
      findings.report(record.faults.map(checkDerived));
      sums.coins += await coins.check(record);
      context.messages.add(record.message.id, findOverdue(record.message, alive));
      if (received) compareReceived(record, received, findings);
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

function compareReceived(record: MessageRecord, { counts, since }: ReceivedOfPage, findings: AuditFindings): void {
  const received = counts.get(record.message.id) ?? { before: 0, total: 0 };
  if (received.total === 0 && wasTaken(record) && wasHandedOverBefore(record, since)) findings.notCompared += 1;
  else findings.report(checkReceived(record, received));
}

/** `coins`: those that the messages account for; `rates`: see Workspace.rates. */
async function auditLedger(
  workspaceId: number,
  rows: AuditSnapshot,
  { findings, kept }: WorkspaceContext,
  { coins, rates }: { coins: number; rates: readonly OwnRate[] },
): Promise<void> {
  const [account] = await find(rows, 'accounts', 'id', [workspaceId]);
  const tally = new LedgerTally(account ?? { workspaceId, balance: 0 }, rates);
  const numbers = kept.ledgerNumbers ? new LedgerNumbers(workspaceId) : null;
  await findings.check('ledger_rows', ledgerRecords(rows, workspaceId), (row) => {
    findings.report((numbers?.add(row) ?? []).map(checkDerived));
    return tally.add(row);
  });
  findings.report(tally.settle(coins));
  findings.report((numbers?.settle(account) ?? []).map(checkDerived));
}

async function auditClaims(
  workspaceId: number,
  rows: AuditSnapshot,
  findings: AuditFindings,
  ofMessages: number,
): Promise<void> {
  const days = new Map<string, number>();
  let claims = 0;
  for await (const page of rows.scan('claims', workspaceId)) {
    claims += page.length;
    countDays(
      days,
      page.map(({ claimedAt }) => claimedAt),
    );
    await findings.rest();
  }
  const subject = `workspace ${workspaceId}`;
  findings.report(unless(claims === ofMessages, 'claim-message', subject, `${ofMessages} claims`, `${claims} claims`));
  const counters = await find(rows, 'sendDays', 'workspaceId', [workspaceId]);
  const kept = new Map(counters.map(({ day, claims: counted }) => [day, counted]));
  findings.report(checkDayCounters(workspaceId, days, kept));
}
