import type { SettingName, SettingsStore } from '../../ports/settings-store';
import { compareAndSet, insertNew, upsert, upsertAndRead } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { byId, groupedReads } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';

export const parseSetting = (stored: { value: string } | null): unknown =>
  stored ? JSON.parse(stored.value) : undefined;

/** MongoDB driver of SettingsStore. Values are stored as JSON, so that equal values compare equal. */
export function settingsStore(mongo: Mongo): SettingsStore {
  const settings = documents(mongo.db, 'settings');
  // Each request to the API asks for the switches.
  const read = groupedReads(async (names: readonly SettingName[]) =>
    byId(await settings.find({ _id: { $in: [...names] } }).toArray()),
  );
  return guarded<SettingsStore>({
    get: async (name) => parseSetting(await read(name)),
    set: (name, value) => upsert(settings, { _id: name }, { $set: { value: JSON.stringify(value) } }),
    replace: (name, held, value) => {
      const stored = { _id: name, value: JSON.stringify(value) };
      if (held === undefined) return insertNew(settings, stored);
      return compareAndSet(settings, { _id: name, value: JSON.stringify(held) }, { $set: { value: stored.value } });
    },
    setOnce: async (name, value) =>
      parseSetting(await upsertAndRead(settings, { _id: name }, { $setOnInsert: { value: JSON.stringify(value) } })),
  });
}
