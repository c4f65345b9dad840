/** Why an open or click is taken for one of a machine, the strongest reason first (docs/machine-signals.md#reasons). */
export const MACHINE_REASONS = ['hidden_link', 'head', 'agent', 'network', 'prefetch', 'burst', 'delivery'] as const;
export type MachineReason = (typeof MACHINE_REASONS)[number];
