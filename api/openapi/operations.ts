import type { ListedOperation } from './listed-operation';
import { audienceOperations } from './operations/audiences';
import { campaignOperations } from './operations/campaigns';
import { contactOperations } from './operations/contacts';
import { conversionOperations } from './operations/conversions';
import { journeyOperations } from './operations/journeys';
import { messageOperations } from './operations/messages';

/** Every operation of the contract, in contract order. */
const operations: readonly ListedOperation[] = [
  ...messageOperations,
  ...campaignOperations,
  ...journeyOperations,
  ...conversionOperations,
  ...contactOperations,
  ...audienceOperations,
];

/** The operation of a route. */
export function operationOf({ method, path }: Pick<ListedOperation, 'method' | 'path'>): ListedOperation {
  const found = operations.find((operation) => operation.method === method && operation.path === path);
  if (!found) throw new Error(`${method} ${path} has no operation`);
  return found;
}
