import { clickPeriod, CONVERSION_WORK, type Click } from '../../../domain/conversions/attribution';
import type { ConversionRecord, PendingLinks } from '../../../domain/audit/check-conversion';
import type { StoredConversion } from '../../../domain/conversions/conversion';
import { decodeRecord } from '../../../streams/decode-record';
import type { ConversionSnapshot } from '../../ports/audit-source';
import { shownClickOwner } from '../../shared/conversion-facts';
import { logTable } from '../database/schema';
import { LOG_COLUMNS, toRecord, type LogRow } from '../log/read-rows';
import { toConversion, type ConversionRow } from '../conversions/conversion-fields';
import type { ReadOnlyFile } from './read-only-file';

const PAGE = 500;
const GROUP = 'conversions';

/** The sales of a workspace with what their attribution follows from. Read them while the file is on hold. */
export const conversionSnapshot = (file: ReadOnlyFile, workspaceId: number): ConversionSnapshot => ({
  sales: () => salePages(file, workspaceId),
  pending: async () => pendingLinks(file, workspaceId),
});

async function* salePages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<ConversionRecord[]> {
  const sql = 'SELECT * FROM conversions WHERE workspace_id = ? AND unlinked = 0';
  for (const page of file.pages<ConversionRow>(PAGE, sql, workspaceId)) {
    yield page.map((row) => toSale(file, toConversion(row)));
  }
}

function toSale(file: ReadOnlyFile, sale: StoredConversion): ConversionRecord {
  const message = sale.link
    ? file.get<NonNullable<ConversionRecord['message']>>(
        `SELECT workspace_id AS workspaceId, iif(lane = 'campaign', campaign_id, NULL) AS campaignId, journey_id AS journeyId
         FROM messages WHERE id = ?`,
        sale.link.messageId,
      )
    : undefined;
  const work = file.get('SELECT 1 FROM due_tasks WHERE kind = ? AND id = ?', CONVERSION_WORK, sale.id);
  return { sale, clicks: clicksOf(file, sale), message: message ?? null, hasWork: work !== undefined };
}

/** Goes from a contact to its messages, and not by what the linking goes by. */
function clicksOf(file: ReadOnlyFile, sale: StoredConversion): Click[] {
  const owner = shownClickOwner(sale);
  if (!owner) return [];
  const { from, to } = clickPeriod(sale);
  const [which, value] =
    owner.kind === 'message' ? ['m.id = ?', owner.messageId] : ['m.contact_id = ?', owner.contactId];
  return file.all<Click>(
    `SELECT s.id, s.message_id AS messageId, s.at, s.link, s.machine FROM messages m JOIN signals s ON s.message_id = m.id
       WHERE ${which} AND m.workspace_id = ? AND s.kind = 'click' AND s.at BETWEEN ? AND ?`,
    value,
    sale.workspaceId,
    from,
    to,
  );
}

/** What the group has yet to handle. */
function pendingLinks(file: ReadOnlyFile, workspaceId: number): PendingLinks {
  const [sales, clicks] = [new Set<string>(), new Set<string>()];
  for (const topic of ['conversions', 'message.events'] as const) {
    const cursor = `SELECT next FROM cursors WHERE consumer = '${GROUP}' AND topic = ?`;
    const records = file.pages<LogRow>(
      PAGE,
      `SELECT ${LOG_COLUMNS} FROM ${logTable(topic)} WHERE offset >= ? ORDER BY offset`,
      file.get<{ next: number }>(cursor, topic)?.next ?? 0,
    );
    for (const row of [...records].flat()) {
      const { record } = decodeRecord(toRecord(topic, row));
      if (!record || record.value.workspaceId !== workspaceId) continue;
      if ('event' in record.value) clicks.add(record.value.key ?? '');
      else sales.add(record.value.id);
    }
  }
  return { sales, clicks };
}
