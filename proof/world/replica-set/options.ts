import type { Document } from 'mongodb';
import type { ModelSession } from './session';

/** The options of a call, as far as the stores use them. */
export interface Options {
  session?: ModelSession;
  projection?: Document;
  sort?: Document | Iterable<[string, number]>;
  limit?: number;
  skip?: number;
  hint?: string | Document;
  upsert?: boolean;
  returnDocument?: 'before' | 'after';
  ordered?: boolean;
  arrayFilters?: Document[];
  maxTimeMS?: number;
  promoteBuffers?: boolean;
}
