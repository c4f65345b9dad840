import { checkPlatformDay, type DayRecord } from '../../domain/audit/check-days';
import { checkPosition, checkStray, type Stray } from '../../domain/audit/check-installation';
import { WEBHOOK_WORK } from '../../domain/webhooks/webhook-delivery';
import type { AuditSnapshot, AuditSource, MessageKey, Pages } from '../../stores/ports/audit-source';
import type { AuditFindings } from './audit-findings';
import { find } from './rows';

/** Strays listed of each kind, at most. */
const STRAYS = 1_000;

/** Applies the rules about the whole installation. */
export async function auditInstallation(source: AuditSource, findings: AuditFindings): Promise<void> {
  const days = await source.snapshot(platformDays);
  findings.count('days', days.length);
  findings.report(days.flatMap(checkPlatformDay));
  findings.report((await source.snapshot((rows) => findStrays(rows, STRAYS))).map(checkStray));
  findings.report((await source.positions()).flatMap(checkPosition));
}

/** The counters of every WIB day. Memory use grows with the number of days. */
export async function platformDays(rows: AuditSnapshot): Promise<DayRecord[]> {
  const days = new Map<string, DayRecord>();
  for await (const page of rows.scan('sendDays', null)) {
    for (const { day, workspaceId, claims } of page) {
      const record = days.get(day) ?? { day, platform: 0, workspaces: 0 };
      record[workspaceId === 0 ? 'platform' : 'workspaces'] += claims;
      days.set(day, record);
    }
  }
  return [...days.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Bodies and attachments without a message, and due tasks of webhooks without a delivery, at most `limit` of each. */
export async function findStrays(rows: AuditSnapshot, limit: number): Promise<Stray[]> {
  const missingMails = async (keys: MessageKey[]): Promise<MessageKey[]> => {
    const there = new Set((await find(rows, 'mails', 'key', keys)).map(({ key }) => key));
    return keys.filter((key) => !there.has(key));
  };
  // One of a delivery that no longer waits is found with the deliveries.
  const missingDeliveries = async (ids: string[]): Promise<string[]> => {
    const there = new Set((await find(rows, 'deliveries', 'id', ids)).map(({ id }) => id));
    return ids.filter((id) => !there.has(id));
  };
  return [
    ...(await straysIn('body', rows.scan('bodies', null), ({ of }) => of, missingMails, limit)),
    ...(await straysIn('attachment', rows.scan('attachments', null), ({ of }) => of, missingMails, limit)),
    ...(await straysIn('due task', rows.scan('tasks', WEBHOOK_WORK), ({ id }) => id, missingDeliveries, limit)),
  ];
}

async function straysIn<T, K extends Stray['of']>(
  what: Stray['what'],
  pages: Pages<T>,
  ownerOf: (row: T) => K,
  missing: (owners: K[]) => Promise<K[]>,
  limit: number,
): Promise<Stray[]> {
  const found = new Set<K>();
  for await (const page of pages) {
    for (const owner of await missing([...new Set(page.map(ownerOf))])) found.add(owner);
    if (found.size >= limit) break;
  }
  return [...found].slice(0, limit).map((of) => ({ what, of }));
}
