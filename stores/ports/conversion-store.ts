import type { Click } from '../../domain/conversions/attribution';
import type { Conversion, LinkedConversion, StoredConversion } from '../../domain/conversions/conversion';
import type { Page, PageQuery } from './page';

/** The linked sales of a workspace, or fewer. Times are those of the sales, ms, both included. */
export interface ConversionFilter {
  /** The message that was clicked. */
  messageId?: string;
  campaignId?: number;
  journeyId?: number;
  /** The buyer, as far as a contact is known. */
  contactId?: number;
  since?: number;
  until?: number;
}

/** Linked sales added up. */
export interface SalesSum {
  conversions: number;
  /** Whole rupiah. */
  revenue: number;
}

/** Where a reader is in the order of the lists. */
export type ConversionCursor = Pick<Conversion, 'occurredAt' | 'id'>;

/**
 * Reported sales, and the clicks that led to them (docs/architecture.md#conversions). Each method that writes is one
 * commit and may be repeated, by several processes at once too.
 * - The clicks of a sale are those on the message it names, if that is of its workspace, or those on all messages to
 *   its contact.
 * - Order of lists: the newest sale first, by `occurredAt`, then by id.
 * - Durability: every method that writes resolves once the write is durable. A rejected call may still have taken
 *   effect.
 * - Errors: UnavailableError. For an unknown sale the result is null, `gone` or empty.
 */
export interface ConversionStore {
  /**
   * Stores in one commit: the sale, its order id, its record of `conversions` (key: workspace), and the due work that
   * looks at it an hour after its receipt. A repeated order id of the workspace returns `duplicate` and writes nothing,
   * even if two callers race. A deleted contact is left out of all, even if its deletion happens at the same time.
   */
  accept(conversion: Conversion): Promise<'received' | 'duplicate'>;
  /** Null also for a sale that could not be linked. */
  get(id: string): Promise<StoredConversion | null>;
  /**
   * Links the sale to its last qualifying click (domain/conversions/attribution), with a record of `conversions` when
   * that is of another message than before. A link only moves to a later click. A linked sale needs no due work any
   * more.
   */
  link(id: string): Promise<'linked' | 'waiting' | 'gone'>;
  /**
   * As `link`; but a sale that has no qualifying click is removed. Its order id, if it has one, stays recorded: a
   * repeat is a duplicate.
   */
  settle(id: string): Promise<'linked' | 'gone'>;
  /**
   * Sales that may move to this click on a message to the contact, the oldest first, behind `after` (null: from the
   * first).
   */
  affectedBy(
    click: Click,
    contactId: number,
    after: ConversionCursor | null,
    limit: number,
  ): Promise<ConversionCursor[]>;
  /**
   * The clicks of the sale that are closest to it: `limit` up to its time, newest first, then `limit` after it, oldest
   * first. Without its contact those of the message it is linked to.
   */
  clicks(id: string, limit: number): Promise<Click[]>;
  /** The linked sales. The cost grows with the number of sales that match. */
  list(workspaceId: number, filter: ConversionFilter, page: PageQuery): Promise<Page<LinkedConversion>>;
  /** The linked sales behind a cursor of the list; null: from the first. */
  listAfter(
    workspaceId: number,
    filter: ConversionFilter,
    after: ConversionCursor | null,
    limit: number,
  ): Promise<LinkedConversion[]>;
  /** The linked sales of a journey added up. */
  ofJourney(journeyId: number): Promise<SalesSum>;
}
