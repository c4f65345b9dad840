import type { DirectoryEntry } from '../../../domain/people/directory';

/** `_id` is `<kind>:<id>`. */
export interface DirectoryDocument extends Omit<DirectoryEntry, 'id' | 'body'> {
  _id: string;
  /** The id of the entry. */
  key: string;
  /** As JSON: it is read and written as a whole. */
  body: string;
}
