import type { ListedOperation } from './listed-operation';
import { messageOperations } from './operations/messages';

/** The operation of a route. */
export function operationOf({ method, path }: Pick<ListedOperation, 'method' | 'path'>): ListedOperation {
  const found = messageOperations.find((operation) => operation.method === method && operation.path === path);
  if (!found) throw new Error(`${method} ${path} has no operation`);
  return found;
}
