import { attribute, byTime, clickPeriod, keepLinked, type Click } from '../conversions/attribution';
import type { ConversionLink, StoredConversion } from '../conversions/conversion';
import { NO_DIFFERENCE, showTime, unless, type Difference } from './difference';

/** A sale; its order id does not matter to any rule. */
export type AuditedSale = Omit<StoredConversion, 'orderId'>;

/** A sale that waits or is linked, with what its attribution follows from. */
export interface ConversionRecord {
  sale: AuditedSale;
  /**
   * The clicks of its period: those of the message it names, or of all messages to its contact; without a contact,
   * those of the message it is linked to.
   */
  clicks: readonly Click[];
  /** The message it is linked to, as stored; null when there is none. */
  message: { workspaceId: number; campaignId: number | null; journeyId: number | null } | null;
  /** True when due work will look at it. */
  hasWork: boolean;
}

/** Ids of what the group has yet to handle: sales that were reported, and clicks. */
export interface PendingLinks {
  sales: ReadonlySet<string>;
  clicks: ReadonlySet<string>;
}

/** True when a later click than that of the sale is stored, so that it matters what is still to be handled. */
export function isBehind(record: ConversionRecord): boolean {
  const { chosen } = attribution(record);
  const { link } = record.sale;
  return chosen !== null && (link === null || byTime(chosen, { at: link.clickedAt, id: link.clickId }) > 0);
}

/** Recomputes the attribution of a sale (docs/contract.md#attribution). */
export function checkConversion(record: ConversionRecord, pending: PendingLinks): readonly Difference[] {
  return [...checkLink(record, pending), ...checkMessage(record), ...checkWork(record)];
}

/** A click that was flagged after the sale was linked to it keeps the sale. */
const attribution = ({ sale, clicks }: ConversionRecord) => attribute(sale, keepLinked(clicks, sale.link));

const subjectOf = ({ sale: { id } }: ConversionRecord): string => `conversion ${id}`;

const showClick = (click: Pick<Click, 'id' | 'at'> | null): string =>
  click === null ? 'no click' : `click ${click.id} at ${showTime(click.at)}`;

function checkLink(record: ConversionRecord, pending: PendingLinks): readonly Difference[] {
  const { sale, clicks } = record;
  const { link } = sale;
  const linked = link && { id: link.clickId, at: link.clickedAt };
  const isOrphan = sale.messageId === null && sale.contactId === null;
  const { from, to } = clickPeriod(sale);
  const own = keepLinked(clicks, link).filter(
    ({ id, at }) => !isOrphan || (id === link?.clickId && at >= from && at <= to),
  );
  const { chosen } = attribute(sale, own);
  if (isBehind(record) && chosen && (pending.sales.has(sale.id) || pending.clicks.has(chosen.id))) return NO_DIFFERENCE;
  const same = chosen?.id === linked?.id && chosen?.at === linked?.at;
  return unless(same, 'conversion-link', subjectOf(record), showClick(chosen), showClick(linked));
}

function checkMessage(record: ConversionRecord): readonly Difference[] {
  const { sale, clicks, message } = record;
  const { link } = sale;
  if (!link) return NO_DIFFERENCE;
  const click = clicks.find(({ id }) => id === link.clickId);
  const expected = click ? click.messageId : link.messageId;
  const show = (
    id: string,
    workspaceId?: number,
    part?: Pick<ConversionLink, 'campaignId' | 'journeyId'> | null,
  ): string =>
    `message ${id} of workspace ${workspaceId ?? 'none'}, campaign ${part?.campaignId ?? 'none'} and journey ${part?.journeyId ?? 'none'}`;
  const holds =
    message !== null &&
    expected === link.messageId &&
    message.workspaceId === sale.workspaceId &&
    message.campaignId === link.campaignId &&
    message.journeyId === link.journeyId;
  return unless(
    holds,
    'conversion-message',
    subjectOf(record),
    show(expected, sale.workspaceId, message),
    show(link.messageId, message?.workspaceId, link),
  );
}

/** A sale that waits without due work would wait for ever. */
function checkWork(record: ConversionRecord): readonly Difference[] {
  const waits = record.sale.link === null;
  const show = (has: boolean): string => (has ? 'its due work' : 'no due work');
  return unless(
    waits === record.hasWork,
    'conversion-work',
    subjectOf(record),
    `${waits ? 'waiting' : 'linked'}: ${show(waits)}`,
    show(record.hasWork),
  );
}
