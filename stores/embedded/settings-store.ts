import type { SettingsStore } from '../ports/settings-store';
import type { Database } from './database';
import type { RareCache } from './rare-cache';

/** Embedded driver of SettingsStore. */
export function settingsStore(db: Database, rare: RareCache): SettingsStore {
  const read = (name: string): unknown => {
    const row = db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
    return row ? JSON.parse(row.value) : undefined;
  };
  return {
    get: async (name) => rare.get(`setting ${name}`, () => read(name)),
    set: (name, value) =>
      rare.write(() => {
        db.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
      }),
    replace: (name, held, value) =>
      rare.write(() => {
        if (JSON.stringify(read(name)) !== JSON.stringify(held)) return false;
        db.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
        return true;
      }),
    setOnce: (name, value) =>
      rare.write(() => {
        db.run('INSERT OR IGNORE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
        return read(name);
      }),
  };
}
