import { checkDelivery, checkWebhookEvent } from '../../domain/audit/check-webhooks';
import type { WebhookSnapshot } from '../../stores/ports/audit-source';
import type { AuditFindings } from './audit-findings';

/** Holds the deliveries of a workspace against its events, and against the due work that makes them. */
export async function auditWebhooks(webhooks: WebhookSnapshot, findings: AuditFindings): Promise<void> {
  const facts = await webhooks.facts();
  for await (const records of webhooks.events()) {
    findings.count('webhook_events', records.length);
    for (const record of records) findings.report(checkWebhookEvent(record, facts));
    await findings.rest();
  }
  for await (const records of webhooks.deliveries()) {
    findings.count('webhook_deliveries', records.length);
    for (const record of records) findings.report(checkDelivery(record));
    await findings.rest();
  }
}
