import type { SettingsStore } from '../../ports/settings-store';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { guarded, isDuplicate, upserting } from '../transactions/guard';

/** MongoDB driver of SettingsStore. Values are stored as JSON, so that equal values compare equal. */
export function settingsStore(mongo: Mongo): SettingsStore {
  const settings = documents(mongo.db, 'settings');
  const parse = (stored: { value: string } | null): unknown => (stored ? JSON.parse(stored.value) : undefined);
  return guarded<SettingsStore>({
    get: async (name) => parse(await settings.findOne({ _id: name })),
    set: async (name, value) => {
      await upserting(() =>
        settings.updateOne({ _id: name }, { $set: { value: JSON.stringify(value) } }, { upsert: true }),
      );
    },
    replace: async (name, held, value) => {
      if (held === undefined) return insert(() => settings.insertOne({ _id: name, value: JSON.stringify(value) }));
      const { matchedCount } = await settings.updateOne(
        { _id: name, value: JSON.stringify(held) },
        { $set: { value: JSON.stringify(value) } },
      );
      return matchedCount === 1;
    },
    setOnce: async (name, value) =>
      parse(
        await upserting(() =>
          settings.findOneAndUpdate(
            { _id: name },
            { $setOnInsert: { value: JSON.stringify(value) } },
            { upsert: true, returnDocument: 'after' },
          ),
        ),
      ),
  });
}

/** False when it already exists. */
async function insert(work: () => Promise<unknown>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}
