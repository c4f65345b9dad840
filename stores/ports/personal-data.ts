import type { AddressSearch } from '../../domain/addresses/address-search';

/** A place where an address was found. */
export interface Place {
  /** What contains the address, as the engine names it: `messages`, `bodies`, `parked`, `log mta.feedback` ... */
  kind: string;
  /** Null if it belongs to no workspace, or the workspace is unknown. */
  workspaceId: number | null;
  /** The id of what contains the address; for a part of a message, the id of the message. */
  id: string;
  field: string;
}

/**
 * Searches all stored data for an address (docs/contract.md#delete-a-contact) while a service may be writing. It
 * excludes nothing by name, so anything added later is searched too. Never writes. May miss data that is written during
 * the search. Keeps only a few documents in memory.
 */
export interface PersonalDataSource {
  /**
   * Yields every place where the address is found, kind by kind. Reports progress now and then: calls `onProgress` with
   * the number of items searched so far.
   */
  find(search: AddressSearch, onProgress: (count: number) => void): AsyncIterable<Place>;
  close(): Promise<void>;
}
