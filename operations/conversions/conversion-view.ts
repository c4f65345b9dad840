import type { StoredConversion } from '../../domain/conversions/conversion';
import { facts } from '../definition';

/** A sale as operations answer it. */
export const presentSale = ({ link, ...sale }: StoredConversion) => ({
  ...facts(sale, 'id', 'workspaceId', 'amount', 'orderId', 'contactId'),
  message_id: link?.messageId ?? null,
  campaign_id: link?.campaignId ?? null,
  journey_id: link?.journeyId ?? null,
  ...facts(sale, 'occurredAt', 'receivedAt'),
});
