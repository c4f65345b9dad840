import type { SuppressionEntry, SuppressionReason } from '../../domain/contacts/suppression';
import type { Page, PageQuery } from './page';

export interface SuppressionQuery extends PageQuery {
  reason?: SuppressionReason;
}

/** The suppression lists: one per workspace and a global one. Addresses are keyed hashes. */
export interface SuppressionStore {
  /** The strongest reason that applies to the workspace, including global entries. Null if none applies. */
  reason(workspaceId: number, addressHash: string): Promise<SuppressionReason | null>;
  /** Adding the same workspace, address and reason again changes nothing. */
  add(entry: SuppressionEntry): Promise<void>;
  /** Removes the given reason, or all reasons of the workspace. Returns the number of entries removed. */
  remove(workspaceId: number | null, addressHash: string, reason?: SuppressionReason): Promise<number>;
  /** A page of the list of a workspace, newest first, of one reason or all. */
  page(workspaceId: number, query: SuppressionQuery): Promise<Page<SuppressionEntry>>;
  /** By address, from behind an entry. */
  list(
    workspaceId: number | null,
    limit: number,
    after?: { addressHash: string; reason: string },
  ): Promise<SuppressionEntry[]>;
}
