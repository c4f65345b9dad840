import type { EnrolOutcome, JourneyStore, NewEnrollment } from '../../ports/journey-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { enrol, type EnrolParts } from './enrol';
import { GroupedBy } from '../transactions/grouped-by';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** The most enrolments in one transaction. */
const MAX_ENROLMENTS = 100;

/** Enrolments by address. Each writes the contact, so separate transactions for one address would only conflict. */
export type GroupedEnrolments = GroupedBy<string, NewEnrollment, EnrolOutcome>;

/** Groups enrolments. */
export const groupedEnrolments = (parts: EnrolParts): GroupedEnrolments =>
  new GroupedBy((_address, enrollments) => enrol(parts, enrollments), { maxItems: MAX_ENROLMENTS });

/** MongoDB driver of JourneyStore. */
export function journeyStore(mongo: Mongo, enrolments: GroupedEnrolments): JourneyStore {
  const journeys = documents(mongo.db, 'journeys');
  return guarded<JourneyStore>({
    create: async (fields) => {
      const journey = { ...fields, id: await takeIds(mongo, 'journeys') };
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
    enrol: (enrollment) => {
      const { workspaceId, contact } = enrollment;
      return enrolments.submit(`${workspaceId} ${contact.email}`, enrollment);
    },
  });
}
