import type { Stores } from '../../stores/ports';
import type { ConversionCursor } from '../../stores/ports/conversion-store';
import type { ConversionRecord, EventRecord } from '../../streams/record-values';
import { drop, ok, type Result } from '../../streams/results';
import type { Consumer } from '../consumer';
import { notInStore } from '../not-in-store';

export interface ConversionsDeps {
  stores: Pick<Stores, 'conversions' | 'messages'>;
}

/** Enough to share commits. */
const CONCURRENCY = 64;
/** Sales looked up at once. */
const PAGE = 100;

/**
 * Links sales to clicks (docs/architecture.md#conversions): a sale when its record comes, and the sales that a click
 * may have led to when the click's event comes. Both read what is stored, so their order does not matter.
 */
export function createConversionsConsumer({ stores }: ConversionsDeps): Consumer<'conversions'> {
  return {
    group: 'conversions',
    concurrency: CONCURRENCY,
    handle: async ({ value }) => ('event' in value ? moveSales(stores, value) : linkSale(stores, value)),
  };
}

async function linkSale({ conversions }: ConversionsDeps['stores'], { kind, id }: ConversionRecord): Promise<Result> {
  if (kind === 'linked') return drop('linked already');
  return (await conversions.link(id)) === 'gone' ? drop('the sale is gone') : ok;
}

/** Links those sales of the message, or of its contact, that the click is the last one of. */
async function moveSales(
  { conversions, messages }: ConversionsDeps['stores'],
  { event, messageId, workspaceId, occurredAt: at, link, key: id = '' }: EventRecord,
): Promise<Result> {
  if (event !== 'click') return drop('no click');
  const message = await messages.get(messageId);
  if (message?.workspaceId !== workspaceId) return notInStore;
  const click = { id, messageId, at, link: link ?? null, machine: null };
  for (let after: ConversionCursor | null = null; ;) {
    const sales: ConversionCursor[] = await conversions.affectedBy(click, message.contactId, after, PAGE);
    for (const sale of sales) await conversions.link(sale.id);
    after = sales.at(-1) ?? null;
    if (sales.length < PAGE) return ok;
  }
}
