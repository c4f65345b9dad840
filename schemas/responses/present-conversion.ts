import type { Explanation, ShownClick } from '../../domain/conversions/explanation';
import type { LinkedConversion } from '../../domain/conversions/conversion';
import { objectTime } from '../rules/timestamps';

/** An item of the list of conversions (docs/contract.md#list-of-conversions). */
export const presentConversion = ({ id, amount, orderId, occurredAt, link }: LinkedConversion): object => ({
  id,
  amount,
  order_id: orderId,
  message_id: link.messageId,
  occurred_at: objectTime(occurredAt),
});

const presentClick = ({ at, url }: ShownClick): object => ({ at: objectTime(at), url });

/**
 * A conversion with the click it is linked to, and those that were passed over (docs/contract.md#show-a-conversion).
 */
export const presentExplained = (sale: LinkedConversion, { click, passedOver }: Explanation): object => ({
  ...presentConversion(sale),
  click: click && presentClick(click),
  passed_over: passedOver.map(({ why, ...other }) => ({ ...presentClick(other), why })),
});
