import type { RecordEntry } from '../../../domain/records/record';

/** `_id` is `<kind>:<id>`. */
export interface RecordDocument extends Omit<RecordEntry, 'id' | 'body'> {
  _id: string;
  /** The id of the entry. */
  key: string;
  /** As JSON: it is read and written as a whole. */
  body: string;
}
