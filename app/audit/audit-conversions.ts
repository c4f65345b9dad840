import { checkConversion, isBehind, type PendingLinks } from '../../domain/audit/check-conversion';
import type { ConversionSnapshot } from '../../stores/ports/audit-source';
import type { AuditFindings } from './audit-findings';

const NOTHING: PendingLinks = { sales: new Set(), clicks: new Set() };

/** Recomputes every attribution of a workspace. Reads what is still to be handled only when a sale is behind its clicks. */
export async function auditConversions(conversions: ConversionSnapshot, findings: AuditFindings): Promise<void> {
  let pending: PendingLinks | null = null;
  for await (const records of conversions.sales()) {
    findings.count('conversions', records.length);
    for (const record of records) {
      if (isBehind(record)) pending ??= await conversions.pending();
      findings.report(checkConversion(record, pending ?? NOTHING));
    }
    await findings.rest();
  }
}
