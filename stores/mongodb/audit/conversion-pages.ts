import { clickPeriod, CONVERSION_WORK, type Click } from '../../../domain/conversions/attribution';
import type { ConversionRecord, PendingLinks } from '../../../domain/audit/check-conversion';
import type { StoredConversion } from '../../../domain/conversions/conversion';
import { decodeRecord } from '../../../streams/decode-record';
import type { LogView } from '../../../streams/log-view';
import type { ConversionSnapshot } from '../../ports/audit-source';
import { shownClickOwner } from '../../shared/conversion-facts';
import { documents } from '../database/documents';
import { toConversion, type ConversionDocument } from '../conversions/conversion-fields';
import { taskId } from '../queue/schedule-tasks';
import { guard } from '../transactions/guard';
import { pages, type Snapshot } from '../transactions/snapshot';
import { pendingRecords, type Around } from './pending-entries';

const PAGE = 500;

/** The sales of a workspace with what their attribution follows from, read in one snapshot. */
export const conversionSnapshot = (
  snapshot: Snapshot,
  log: LogView,
  around: Around,
  workspaceId: number,
): ConversionSnapshot => ({
  sales: () => salePages(snapshot, workspaceId),
  pending: () => pendingLinks(snapshot, log, around, workspaceId),
});

async function* salePages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<ConversionRecord[]> {
  const { db, moment } = snapshot;
  const found = documents(db, 'conversions')
    .find({ workspaceId, unlinked: { $exists: false } }, { ...moment, batchSize: PAGE })
    .sort({ _id: 1 });
  for await (const page of pages(found, PAGE)) {
    const records: ConversionRecord[] = [];
    for (const document of page) records.push(await guard(() => toSale(snapshot, document)));
    yield records;
  }
}

async function toSale(snapshot: Snapshot, document: ConversionDocument): Promise<ConversionRecord> {
  const { db, moment } = snapshot;
  const sale = toConversion(document);
  const message =
    sale.link &&
    (await documents(db, 'messages').findOne(
      { _id: sale.link.messageId },
      { ...moment, projection: { workspaceId: 1, lane: 1, campaignId: 1, journeyId: 1 } },
    ));
  const work = await documents(db, 'dueTasks').findOne({ _id: taskId({ kind: CONVERSION_WORK, id: sale.id }) }, moment);
  return {
    sale,
    clicks: await clicksOf(snapshot, sale),
    message: message && {
      workspaceId: message.workspaceId,
      campaignId: message.lane === 'campaign' ? message.campaignId : null,
      journeyId: message.journeyId ?? null,
    },
    hasWork: work !== null,
  };
}

/** Goes from a contact to its messages, and not by what the linking goes by. */
async function clicksOf({ db, moment }: Snapshot, sale: StoredConversion): Promise<Click[]> {
  const owner = shownClickOwner(sale);
  if (!owner) return [];
  const which = owner.kind === 'message' ? { _id: owner.messageId } : { contactId: owner.contactId };
  const messages = await documents(db, 'messages')
    .find({ ...which, workspaceId: sale.workspaceId }, { ...moment, projection: { _id: 1 } })
    .toArray();
  const { from, to } = clickPeriod(sale);
  const clicks = await documents(db, 'signals')
    .find(
      { messageId: { $in: messages.map(({ _id }) => _id) }, kind: 'click', at: { $gte: from, $lte: to } },
      { ...moment, projection: { messageId: 1, at: 1, link: 1, machine: 1 } },
    )
    .toArray();
  return clicks.map(({ _id: id, messageId, at, link, machine = null }) => ({ id, messageId, at, link, machine }));
}

/** What the group had yet to handle at the moment of the snapshot. */
async function pendingLinks(
  snapshot: Snapshot,
  log: LogView,
  around: Around,
  workspaceId: number,
): Promise<PendingLinks> {
  const [sales, clicks] = [new Set<string>(), new Set<string>()];
  for (const topic of ['conversions', 'message.events'] as const) {
    for await (const stored of pendingRecords(snapshot, log, around, { group: 'conversions', topic })) {
      const { record } = decodeRecord({ ...stored, topic });
      if (!record || record.value.workspaceId !== workspaceId) continue;
      if ('event' in record.value) clicks.add(record.value.key ?? '');
      else sales.add(record.value.id);
    }
  }
  return { sales, clicks };
}
