import type { Lease, LeaseStore } from '../../ports/lease-store';
import type { SettingName, SettingsStore } from '../../ports/settings-store';
import type { Mongo } from '../database/client';
import { documents, type Documents } from '../database/documents';
import { schemaOf, type StoredSchema } from '../database/schema-step';
import { leaseOf, LISTED } from './lease-store';
import { guard } from '../transactions/guard';
import { parseSetting } from '../settings/settings-store';

/** What the processes of an installation compare, as of one moment. */
export interface SharedState {
  /** The time of the primary, ms. */
  time: number;
  /** Answers for the names that were read; the others count as not set. */
  settings: Pick<SettingsStore, 'get'>;
  leases: Pick<LeaseStore, 'list'>;
  schema: StoredSchema;
}

type Found = { time: Date } & (
  | (Documents['settings'] & { from: 'settings' })
  | (Documents['leases'] & { from: 'leases' })
  | (Documents['meta'] & { from: 'meta' })
);

/** Reads it in one request, since every process does so every few seconds. Rejects with UnavailableError. */
export async function readShared({ db }: Mongo, names: readonly SettingName[]): Promise<SharedState> {
  const from = (name: Found['from']): object => ({ $set: { from: name, time: '$$NOW' } });
  const others = [
    { coll: 'leases', pipeline: [{ $match: LISTED }, { $sort: { _id: 1 } }, from('leases')] },
    { coll: 'meta', pipeline: [{ $match: { _id: 'schema' } }, from('meta')] },
  ];
  const pipeline = [
    { $match: { _id: { $in: names } } },
    from('settings'),
    ...others.map((other) => ({ $unionWith: other })),
  ];
  const found = await guard(() => documents(db, 'settings').aggregate<Found>(pipeline).toArray());
  const settings = new Map<string, unknown>();
  const leases: Lease[] = [];
  let meta: Documents['meta'] | null = null;
  for (const one of found) {
    if (one.from === 'settings') settings.set(one._id, parseSetting(one));
    else if (one.from === 'leases') leases.push(leaseOf(one));
    else meta = one;
  }
  return {
    // There is always something to find: this process has a lease.
    time: found[0]?.time.getTime() ?? NaN,
    settings: { get: async (name) => settings.get(name) },
    leases: { list: async () => leases },
    schema: schemaOf(db, meta),
  };
}
