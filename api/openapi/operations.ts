import type { Route } from '../route';
import type { Operation } from './operation';
import { accountOperations } from './operations/account';
import { audienceOperations } from './operations/audiences';
import { campaignOperations } from './operations/campaigns';
import { contactOperations } from './operations/contacts';
import { conversionOperations } from './operations/conversions';
import { journeyOperations } from './operations/journeys';
import { messageOperations } from './operations/messages';
import { suppressionOperations } from './operations/suppressions';
import { templateOperations } from './operations/templates';
import { webhookOperations } from './operations/webhooks';

/** Every operation of the contract, in contract order. */
export const operations: readonly Operation[] = [
  ...accountOperations,
  ...messageOperations,
  ...templateOperations,
  ...suppressionOperations,
  ...campaignOperations,
  ...journeyOperations,
  ...conversionOperations,
  ...contactOperations,
  ...audienceOperations,
  ...webhookOperations,
];

/** The operation of a route; undefined when it has no description. */
export function operationOf({ method, path }: Pick<Route, 'method' | 'path'>): Operation | undefined {
  return operations.find((operation) => operation.method === method && operation.path === path);
}
