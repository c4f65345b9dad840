import type { SettingName, SettingsStore } from '../../stores/ports/settings-store';

/** Changes a setting based on its old value. Concurrent changes are all kept. Returns the new value. */
export async function changeSetting<T>(
  settings: Pick<SettingsStore, 'get' | 'replace'>,
  name: SettingName,
  change: (held: T | undefined) => T,
): Promise<T> {
  for (;;) {
    const held = (await settings.get(name)) as T | undefined;
    const value = change(held);
    if (await settings.replace(name, held, value)) return value;
  }
}
