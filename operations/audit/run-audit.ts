import type { Difference } from '../../domain/audit/difference';
import type { ReceivedMails } from '../../sandbox/received-mails';
import type { AuditSource } from '../../stores/ports/audit-source';
import { AuditFindings, type Checked } from './audit-findings';
import { auditInstallation } from './audit-installation';
import { auditWorkspace } from './audit-workspace';
import { OverdueSuspects, STEPS } from './overdue-suspects';
import { find } from './rows';

export interface AuditOptions {
  /** Called with each difference as it is found. */
  onDifference(difference: Difference): void;
  /** Called now and then with how many of how many messages were checked. The total may grow meanwhile. */
  onProgress?(done: number, total: number): void;
  /** The mails of the sandbox, if the sandbox is the sending server and always was. */
  sandbox?: ReceivedMails;
  /** How long overdue deadlines may stay without any progress, ms of real time (5 s). */
  patience?: number;
}

export interface AuditSummary {
  /** How many of each kind were checked. */
  checked: Checked;
  differences: number;
  /** Messages that the sandbox's file can say nothing about: it was made or emptied after their hand-off. */
  notCompared: number;
  ms: number;
}

const PATIENCE = 5_000;

/**
 * Checks all data against itself by the rules of domain/audit (docs/architecture.md#coins), while a service may keep
 * writing. Each workspace is checked as of one moment. Reads only. Rejects with the errors of the stores.
 */
export async function runAudit(source: AuditSource, options: AuditOptions): Promise<AuditSummary> {
  const started = performance.now();
  const findings = new AuditFindings(options, await source.messageCount());
  const suspects = { messages: new OverdueSuspects(), steps: new OverdueSuspects(STEPS) };
  const context = { findings, kept: source.kept, ...suspects, sandbox: options.sandbox };
  for (let id = await source.nextWorkspace(0); id !== null; id = await source.nextWorkspace(id)) {
    const workspaceId = id;
    // Read first: these mails were received before the snapshot records anything about their messages.
    const receivedBefore = options.sandbox?.newest() ?? 0;
    await source.snapshotWithLog((rows) => auditWorkspace(workspaceId, rows, { ...context, receivedBefore }));
  }
  await auditInstallation(source, findings);
  if (options.sandbox) await auditMails(source, options.sandbox, findings);
  for (const kind of [suspects.messages, suspects.steps]) {
    findings.report(await kind.confirm(source, options.patience ?? PATIENCE));
  }
  const { checked, differences, notCompared } = findings;
  return { checked, differences, notCompared, ms: Math.round(performance.now() - started) };
}

/** Reports mails whose message is missing: it was accepted and then lost. */
async function auditMails(source: AuditSource, sandbox: ReceivedMails, findings: AuditFindings): Promise<void> {
  findings.count('received', 0);
  for (const ids of sandbox.messageIds()) {
    findings.count('received', ids.length);
    const mails = await source.snapshot((rows) => find(rows, 'mails', 'id', ids));
    const there = new Set(mails.map(({ id }) => id));
    for (const id of ids.filter((one) => !there.has(one))) {
      findings.report([{ rule: 'received-message', subject: id, expected: 'a message', found: 'an email without it' }]);
    }
  }
}
