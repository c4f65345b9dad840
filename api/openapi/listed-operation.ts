import type { Operation } from './operation';

/** The documentation of a route that does not hold it itself yet. */
export interface ListedOperation extends Operation {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
}
