import type { JourneyStore } from '../ports/journey-store';
import type { Mongo } from './client';
import { documents, fromDocument, toDocument } from './documents';
import { enrol } from './enrol';
import { guarded } from './guard';
import { takeIds, type IdBlock } from './ids';
import type { Outbox } from './outbox';

/** What the store of journeys needs. */
export interface JourneyParts {
  mongo: Mongo;
  outbox: Outbox;
  now: () => number;
  /** Ids of new contacts. */
  contactIds: IdBlock;
}

/** MongoDB driver of JourneyStore. */
export function journeyStore(parts: JourneyParts): JourneyStore {
  const { mongo } = parts;
  const journeys = documents(mongo.db, 'journeys');
  return guarded<JourneyStore>({
    create: async (given) => {
      const journey = { ...given, id: await takeIds(mongo, 'journeys') };
      await journeys.insertOne(toDocument(journey));
      return journey;
    },
    get: async (workspaceId, id) => {
      const found = await journeys.findOne({ _id: id, workspaceId });
      return found && fromDocument(found);
    },
    list: async (workspaceId) => (await journeys.find({ workspaceId }).sort({ _id: 1 }).toArray()).map(fromDocument),
    setStatus: async (workspaceId, id, status) => {
      const changed = await journeys.findOneAndUpdate(
        { _id: id, workspaceId },
        { $set: { status } },
        { returnDocument: 'after' },
      );
      return changed && fromDocument(changed);
    },
    enrol: (enrollment) => enrol(parts, enrollment),
  });
}
