import { clickPeriod, CONVERSION_WORK, type Click } from '../../domain/conversions/attribution';
import {
  checkConversion,
  isBehind,
  type AuditedSale,
  type ConversionRecord,
  type PendingLinks,
} from '../../domain/audit/check-conversion';
import type { AuditSnapshot, MailRow, Pages, SnapshotWithLog } from '../../stores/ports/audit-source';
import { shownClickOwner } from '../../stores/shared/conversion-facts';
import { decodeRecord } from '../../streams/decode-record';
import type { AuditFindings } from './audit-findings';
import { byKey, find, grouped } from './rows';

const NOTHING: PendingLinks = { sales: new Set(), clicks: new Set() };

/**
 * Recomputes every attribution of a workspace. Reads what is still to be handled only when a sale is behind its clicks.
 */
export async function auditConversions(
  rows: SnapshotWithLog,
  workspaceId: number,
  findings: AuditFindings,
): Promise<void> {
  let pending: PendingLinks | null = null;
  for await (const sales of rows.scan('conversions', workspaceId)) {
    findings.count('conversions', sales.length);
    for (const record of await conversionRecords(rows, sales)) {
      if (isBehind(record)) pending ??= await pendingLinks(rows, workspaceId);
      findings.report(checkConversion(record, pending ?? NOTHING));
    }
    await findings.rest();
  }
}

async function conversionRecords(rows: AuditSnapshot, sales: readonly AuditedSale[]): Promise<ConversionRecord[]> {
  const linked = sales.map(({ link }) => link?.messageId ?? null);
  const mails = byKey(await find(rows, 'mails', 'id', linked), ({ id }) => id);
  const tasks = await find(
    rows,
    'tasks',
    'key',
    sales.map(({ id }) => [CONVERSION_WORK, id] as const),
  );
  const due = new Set(tasks.map(({ id }) => id));
  const clicks = await clicksOf(rows, sales);
  return sales.map((sale) => {
    const mail = mails.get(sale.link?.messageId ?? '');
    return {
      sale,
      clicks: clicks.get(sale) ?? [],
      hasWork: due.has(sale.id),
      message: mail ? { ...mail, campaignId: mail.lane === 'campaign' ? mail.campaignId : null } : null,
    };
  });
}

/** The clicks in the period of each sale. Goes from a contact to its messages, and not by what the linking goes by. */
async function clicksOf(rows: AuditSnapshot, sales: readonly AuditedSale[]): Promise<Map<AuditedSale, Click[]>> {
  const found = new Map<AuditedSale, Click[]>(sales.map((sale) => [sale, []]));
  const owned = sales.map((sale) => ({ sale, owner: shownClickOwner(sale) }));
  const byMessage = grouped(owned, ({ owner }) => (owner?.kind === 'message' ? owner.messageId : null));
  const byContact = grouped(owned, ({ owner }) => (owner?.kind === 'contact' ? owner.contactId : null));
  const add = ({ mail, click }: MailClick, owners: typeof owned = []): void => {
    for (const { sale } of owners) if (mayBeOf(sale, mail, click)) found.get(sale)?.push(click);
  };
  const ofMessages = rows.find('mails', 'id', known(byMessage));
  for await (const click of clicksIn(rows, ofMessages)) add(click, byMessage.get(click.mail.id));
  const ofContacts = rows.find('mails', 'contactId', known(byContact));
  for await (const click of clicksIn(rows, ofContacts)) add(click, byContact.get(click.mail.contactId));
  return found;
}

const known = <K>(groups: ReadonlyMap<K | null, unknown>): K[] => [...groups.keys()].filter((key) => key !== null);

interface MailClick {
  mail: MailRow;
  click: Click;
}

async function* clicksIn(rows: AuditSnapshot, pages: Pages<MailRow>): AsyncGenerator<MailClick> {
  for await (const page of pages) {
    const mails = byKey(page, ({ id }) => id);
    for await (const signals of rows.find('signals', 'messageId', [...mails.keys()])) {
      const clicks = signals.filter(({ kind }) => kind === 'click');
      yield* clicks.map((click) => ({ mail: mails.get(click.messageId)!, click }));
    }
  }
}

function mayBeOf(sale: AuditedSale, mail: MailRow, { at }: Click): boolean {
  const { from, to } = clickPeriod(sale);
  return mail.workspaceId === sale.workspaceId && at >= from && at <= to;
}

/** What the group has yet to handle. Memory use grows with the work that it still has to do. */
async function pendingLinks(rows: SnapshotWithLog, workspaceId: number): Promise<PendingLinks> {
  const [sales, clicks] = [new Set<string>(), new Set<string>()];
  for (const topic of ['conversions', 'message.events'] as const) {
    for await (const stored of rows.pending('conversions', topic)) {
      const { record } = decodeRecord({ ...stored, topic });
      if (!record || record.value.workspaceId !== workspaceId) continue;
      if ('event' in record.value) clicks.add(record.value.key ?? '');
      else sales.add(record.value.id);
    }
  }
  return { sales, clicks };
}
