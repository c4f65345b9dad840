import { engineTools } from '../../app/engines/engine-tools';
import { runAudit, type AuditSummary } from '../../operations/audit/run-audit';
import { readConfig } from '../../operations/config/config';
import { openAudit } from '../../operations/audit/open-audit';
import type { Installation } from '../../proof/crash/installation';
import type { Difference } from '../../domain/audit/difference';
import { testEnv } from './running';

export interface Audited {
  summary: AuditSummary;
  found: Difference[];
}

/** Audits a data dir or another installation; deadlines that have passed are given `patience` ms of real time. */
export async function auditOf(on: string | Installation, patience = 250): Promise<Audited> {
  const { source, sandbox, close } = await openAudit(readConfig(testEnv(on)), engineTools);
  const found: Difference[] = [];
  try {
    const summary = await runAudit(source, {
      onDifference: (difference) => found.push(difference),
      patience,
      ...(sandbox ? { sandbox } : {}),
    });
    return { summary, found };
  } finally {
    await close();
  }
}
