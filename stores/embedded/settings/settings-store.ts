import type { SettingsStore } from '../../ports/settings-store';
import type { Database } from '../database/database';
import type { ReadCache } from '../database/read-cache';
import { readSetting, SETTING } from '../database/settings';

/** Embedded driver of SettingsStore. */
export function settingsStore(db: Database, cache: ReadCache): SettingsStore {
  return {
    get: async (name) => cache.get(`setting ${name}`, () => readSetting(db, name)),
    set: (name, value) => cache.write(() => SETTING.replace(db, { name, value })),
    replace: (name, expected, value) =>
      cache.write(() => {
        if (JSON.stringify(readSetting(db, name)) !== JSON.stringify(expected)) return false;
        SETTING.replace(db, { name, value });
        return true;
      }),
    setOnce: (name, value) =>
      cache.write(() => {
        SETTING.insertNew(db, { name, value });
        return readSetting(db, name);
      }),
  };
}
