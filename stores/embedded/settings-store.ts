import type { SettingsStore } from '../ports/settings-store';
import type { Database } from './database';
import type { GroupCommit } from './group-commit';

/** Embedded driver of SettingsStore. */
export function settingsStore(db: Database, commits: GroupCommit): SettingsStore {
  const read = (name: string): unknown => {
    const row = db.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', name);
    return row ? JSON.parse(row.value) : undefined;
  };
  return {
    get: async (name) => read(name),
    set: (name, value) =>
      commits.write(() => {
        db.run('INSERT OR REPLACE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
      }),
    setOnce: (name, value) =>
      commits.write(() => {
        db.run('INSERT OR IGNORE INTO settings (name, value) VALUES (?, ?)', name, JSON.stringify(value));
        return read(name);
      }),
  };
}
