import { attribute, keepLinked, type Click } from '../../domain/conversions/attribution';
import type { Explanation, ShownClick } from '../../domain/conversions/explanation';
import type { LinkedConversion, StoredConversion } from '../../domain/conversions/conversion';
import type { Stores } from '../../stores/ports';

type ExplainStores = Pick<Stores, 'conversions' | 'messages'> & { signals: Pick<Stores['signals'], 'ofMessage'> };

/** Clicks shown before a sale, and after it. */
const SHOWN = 50;

/**
 * Explains a sale from the clicks that are stored now (docs/contract.md#show-a-conversion). Without its contact, the
 * clicks are those of the message it is linked to.
 */
export async function explainConversion(stores: ExplainStores, sale: StoredConversion): Promise<Explanation> {
  const show = shownClicks(stores);
  const clicks = await stores.conversions.clicks(sale.id, SHOWN);
  const { link } = sale;
  const others = attribute(sale, keepLinked(clicks, link)).passedOver.filter(({ click }) => click.id !== link?.clickId);
  const passedOver = [];
  for (const { click, why } of others) passedOver.push({ ...(await show(click)), why });
  return { click: link && (await show(await linkedClick(stores, clicks, link))), passedOver };
}

/** The click of the link. It is not among those that are shown when more than those came between it and the sale. */
async function linkedClick(
  { signals }: Pick<ExplainStores, 'signals'>,
  clicks: readonly Click[],
  { clickId, clickedAt: at, messageId }: LinkedConversion['link'],
): Promise<Pick<Click, 'at' | 'messageId' | 'link'>> {
  const isChosen = ({ id }: { id: string }): boolean => id === clickId;
  const found = clicks.find(isChosen) ?? (await signals.ofMessage(messageId)).find(isChosen);
  return { at, messageId, link: found?.link ?? null };
}

/** Shows clicks; reads the links of each message once. */
function shownClicks({ messages }: Pick<Stores, 'messages'>) {
  const known = new Map<string, Promise<string[]>>();
  return async ({ at, messageId, link }: Pick<Click, 'at' | 'messageId' | 'link'>): Promise<ShownClick> => {
    const links = known.get(messageId) ?? messages.links(messageId);
    known.set(messageId, links);
    return { at, messageId, url: link === null ? null : ((await links)[link] ?? null) };
  };
}
