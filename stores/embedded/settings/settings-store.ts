import type { SettingsStore } from '../../ports/settings-store';
import type { Database } from '../database/database';
import type { ReadCache } from '../database/read-cache';

/** Embedded driver of SettingsStore. */
export function settingsStore(db: Database, cache: ReadCache): SettingsStore {
  const read = (name: string): unknown => {
    const row = db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
    return row ? JSON.parse(row.value) : undefined;
  };
  return {
    get: async (name) => cache.get(`setting ${name}`, () => read(name)),
    set: (name, value) =>
      cache.write(() => {
        db.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
      }),
    replace: (name, expected, value) =>
      cache.write(() => {
        if (JSON.stringify(read(name)) !== JSON.stringify(expected)) return false;
        db.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
        return true;
      }),
    setOnce: (name, value) =>
      cache.write(() => {
        db.run('INSERT OR IGNORE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
        return read(name);
      }),
  };
}
