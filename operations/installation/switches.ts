import type { SettingsStore } from '../../stores/ports/settings-store';

/** The operator's switches (setting `switches`). */
export interface Switches {
  /** Off: every call returns 503. */
  api: boolean;
  /** Off: the Email Marketing module is closed for all accounts. */
  module: boolean;
}

/** Reads the switches. Absent = on. */
export async function readSwitches(settings: Pick<SettingsStore, 'get'>): Promise<Switches> {
  const stored = ((await settings.get('switches')) ?? {}) as Partial<Switches>;
  return { api: stored.api !== false, module: stored.module !== false };
}
