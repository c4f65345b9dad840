import type { SuppressionEntry, SuppressionReason } from '../../domain/suppression';

/** The suppression lists: each workspace's own and the global one. Addresses are keyed hashes. */
export interface SuppressionStore {
  /** The strongest reason that holds for the workspace, global entries included; null when none does. */
  reason(workspaceId: number, addressHash: string): Promise<SuppressionReason | null>;
  /** Adding the same (workspace, address, reason) again changes nothing. */
  add(entry: SuppressionEntry): Promise<void>;
  /** Removes the given reason, or every reason of the workspace; returns how many entries went. */
  remove(workspaceId: number | null, addressHash: string, reason?: SuppressionReason): Promise<number>;
  list(
    workspaceId: number | null,
    limit: number,
    after?: { addressHash: string; reason: string },
  ): Promise<SuppressionEntry[]>;
}
