import type { AuditRule } from '../../domain/audit/difference';
import type { SettingsStore } from '../../stores/ports/settings-store';
import type { Checked } from './audit-findings';

/** What an audit found. */
export interface Verdict {
  differences: number;
  /** The rules that do not hold; `likely_cause`: what most likely happened. */
  groups: readonly { rule: AuditRule; count: number; likely_cause: string }[];
  checked: Readonly<Partial<Record<keyof Checked, number | null>>>;
  /** How long it took. */
  ms: number;
}

/** An audit of the service, as its store keeps it. Times in ms. */
export interface KeptAudit {
  /** The one that runs; it ended without a word once `until` is over. */
  run: { by: string; startedAt: number; until: number } | null;
  /** The last one that came to its end. */
  last: (Verdict & { by: string; at: number }) | null;
  /** Why the one after it did not. */
  failure: { by: string; at: number; reason: string } | null;
}

const NONE: KeptAudit = { run: null, last: null, failure: null };

/** The audits of the service: the one that runs, and the last one. */
export const keptAudit = async (settings: Pick<SettingsStore, 'get'>): Promise<KeptAudit> =>
  ((await settings.get('audit')) ?? NONE) as KeptAudit;

/** Changes it based on what is there; null leaves it. Returns what is there then, or null when it was left. */
export async function changeAudit(
  settings: Pick<SettingsStore, 'get' | 'replace'>,
  change: (held: KeptAudit) => KeptAudit | null,
): Promise<KeptAudit | null> {
  for (;;) {
    const stored = await settings.get('audit');
    const next = change((stored ?? NONE) as KeptAudit);
    if (next === null) return null;
    if (await settings.replace('audit', stored, next)) return next;
  }
}
