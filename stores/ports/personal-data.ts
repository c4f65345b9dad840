import type { AddressSearch } from '../../domain/address-search';

/** Where an address stands. */
export interface Place {
  /** What holds it, as the engine calls it: `messages`, `bodies`, `parked`, `log mta.feedback` ... */
  kind: string;
  /** Null for what belongs to none, or to one that cannot be told. */
  workspaceId: number | null;
  /** Of the thing that holds it; of a part of a message the message's. */
  id: string;
  field: string;
}

/**
 * Everything that is kept, to be looked through for an address (docs/contract.md#delete-a-contact), beside a service
 * that goes on writing. Nothing is left out by name, so that what is added later is searched too. Nothing is written.
 * What is written while it looks may be missed. Holds a few documents at a time.
 */
export interface PersonalDataSource {
  /** Every place where the address stands, kind by kind. `onLooked` is told how many things were looked at, now and then. */
  find(search: AddressSearch, onLooked: (count: number) => void): AsyncIterable<Place>;
  close(): Promise<void>;
}
