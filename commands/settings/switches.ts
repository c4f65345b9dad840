import type { SettingsStore } from '../../stores/ports/settings-store';
import type { Switches } from '../../api/state';

/** The operator's switches (setting `switches`). Absent = on. */
export async function readSwitches(settings: Pick<SettingsStore, 'get'>): Promise<Switches> {
  const stored = ((await settings.get('switches')) ?? {}) as Partial<Switches>;
  return { api: stored.api !== false, module: stored.module !== false };
}
