import { checkPlatformDay } from '../../domain/audit/check-days';
import { checkPosition, checkStray } from '../../domain/audit/check-installation';
import type { Difference } from '../../domain/audit/difference';
import type { ReceivedMails } from '../../sandbox/received-mails';
import type { AuditSource } from '../../stores/ports/audit-source';
import { AuditFindings, type Checked } from './audit-findings';
import { auditWorkspace } from './audit-workspace';
import { OverdueSteps } from './overdue-steps';
import { OverdueSuspects } from './overdue-suspects';

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

const PAGE = 500;
/** Strays listed of each kind, at most. */
const STRAYS = 1_000;
const PATIENCE = 5_000;

/**
 * Checks all data against itself by the rules of domain/audit (docs/architecture.md#coins), while a service may keep
 * writing. Each workspace is checked as of one moment. Reads only. Rejects with the errors of the stores.
 */
export async function runAudit(source: AuditSource, options: AuditOptions): Promise<AuditSummary> {
  const started = performance.now();
  const findings = new AuditFindings(options, await source.messageCount());
  const suspects = new OverdueSuspects();
  const steps = new OverdueSteps();
  const { premiumPerMinute } = await source.installation();
  const context = { findings, suspects, steps, sandbox: options.sandbox, premiumPerMinute };
  for (let ids = await source.workspaces(0, PAGE); ids.length > 0; ids = await source.workspaces(ids.at(-1)!, PAGE)) {
    for (const id of ids) {
      // Read first: these mails were received before the snapshot records anything about their messages.
      const receivedBefore = options.sandbox?.newest() ?? 0;
      await source.workspace(id, (snapshot) => auditWorkspace(id, snapshot, { ...context, receivedBefore }));
    }
  }
  for (const day of await source.platformDays()) {
    findings.count('days');
    findings.report(checkPlatformDay(day));
  }
  findings.report((await source.strays(STRAYS)).map(checkStray));
  findings.report((await source.positions()).flatMap(checkPosition));
  if (options.sandbox) await auditMails(source, options.sandbox, findings);
  findings.report(await suspects.confirm(source, options.patience ?? PATIENCE));
  findings.report(await steps.confirm(source, options.patience ?? PATIENCE));
  const { checked, differences, notCompared } = findings;
  return { checked, differences, notCompared, ms: Math.round(performance.now() - started) };
}

/** Reports mails whose message is missing: it was accepted and then lost. */
async function auditMails(source: AuditSource, sandbox: ReceivedMails, findings: AuditFindings): Promise<void> {
  findings.count('received', 0);
  for (const ids of sandbox.messageIds()) {
    findings.count('received', ids.length);
    for (const id of await source.missing(ids)) {
      findings.report([{ rule: 'received-message', subject: id, expected: 'a message', found: 'a mail without it' }]);
    }
  }
}
