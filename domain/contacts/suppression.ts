/** Reasons of the suppression list, strongest first (docs/contract.md#suppression-check). */
export const SUPPRESSION_REASONS = ['global', 'complaint', 'hard_bounce', 'manual'] as const;
export type SuppressionReason = (typeof SUPPRESSION_REASONS)[number];

/** The reasons of a workspace's own list. */
export const OWN_REASONS = ['complaint', 'hard_bounce', 'manual'] as const satisfies readonly SuppressionReason[];

export interface SuppressionEntry {
  /** Null: blocked for all senders of the service, with reason `global`. */
  workspaceId: number | null;
  /** Keyed hash of the lower-case address; entries outlive the contact. */
  addressHash: string;
  reason: SuppressionReason;
  /** The message whose report caused the entry. */
  messageId: string | null;
  createdAt: number;
}

/** The strongest of several reasons, or null for none. */
export function strongestReason(reasons: readonly SuppressionReason[]): SuppressionReason | null {
  return SUPPRESSION_REASONS.find((reason) => reasons.includes(reason)) ?? null;
}

/** An entry with the address it is about, if that is stored anywhere. */
export type KnownEntry = SuppressionEntry & { email: string | null };
