import type { ClientSession } from 'mongodb';
import { RESUME_WORK } from '../../../domain/journeys/enrollment';
import type { Journey, JourneyDefinition, JourneyVersion } from '../../../domain/journeys/journey';
import type { JourneyDeletion, JourneyStore } from '../../ports/journey-store';
import { mailsOf, resumeTask } from '../../shared/journey-tasks';
import { exists, mapAll, mapOne } from '../database/reads';
import { compareAndSet } from '../database/writes';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { takeIds } from '../database/ids';
import { idsOfJourney, mailId, versionId } from './enrollment-fields';
import { scheduleTasks, taskId } from '../queue/schedule-tasks';
import { guarded } from '../transactions/guard';
import { transact } from '../transactions/transact';

/** MongoDB driver of JourneyStore. */
export function journeyStore(mongo: Mongo): JourneyStore {
  const journeys = documents(mongo.db, 'journeys');
  return guarded<JourneyStore>({
    create: async (fields) => {
      const journey: Journey = { ...fields, id: await takeIds(mongo, 'journeys'), version: 1 };
      const { id: journeyId, version, steps, goal, createdAt } = journey;
      await transact(mongo, async (session) => {
        await journeys.insertOne(toDocument(journey), { session });
        await insertVersion(mongo, session, { journeyId, version, steps, goal, createdAt });
      });
      return journey;
    },
    get: (workspaceId, id) => mapOne(journeys.findOne({ _id: id, workspaceId }), fromDocument),
    version: async (workspaceId, id, version) => {
      const owned = await exists(journeys, { _id: id, workspaceId });
      return owned ? readVersion(mongo, id, version) : null;
    },
    list: (workspaceId) => mapAll(journeys.find({ workspaceId }).sort({ _id: 1 }), fromDocument),
    setStatus: (workspaceId, id, status, at) =>
      transact(mongo, async (session) => {
        const before = await journeys.findOneAndUpdate({ _id: id, workspaceId }, { $set: { status } }, { session });
        if (!before) return null;
        if (status === 'active' && before.status !== 'active') {
          const task = resumeTask(workspaceId, id, at);
          const _id = taskId({ kind: RESUME_WORK, id: task.id });
          await documents(mongo.db, 'dueTasks').deleteOne({ _id }, { session });
          await scheduleTasks(mongo, session, [task]);
        }
        return { ...fromDocument(before), status };
      }),
    edit: (workspaceId, id, definition, at) =>
      transact(mongo, (session) => edit(mongo, session, { workspaceId, id }, definition, at)),
    delete: (workspaceId, id) => transact(mongo, (session) => deleteJourney(mongo, session, workspaceId, id)),
    replaceSecret: async (workspaceId, id, secretSealed) => {
      return compareAndSet(journeys, { _id: id, workspaceId }, { $set: { secretSealed } });
    },
  });
}

async function edit(
  mongo: Mongo,
  session: ClientSession,
  { workspaceId, id }: Pick<Journey, 'workspaceId' | 'id'>,
  { name, triggerType, audienceId, steps, goal }: JourneyDefinition,
  createdAt: number,
): Promise<Journey | null> {
  const found = await documents(mongo.db, 'journeys').findOneAndUpdate(
    { _id: id, workspaceId },
    { $set: { name, triggerType, audienceId, steps, goal }, $inc: { version: 1 } },
    { session, returnDocument: 'after' },
  );
  if (!found) return null;
  await insertVersion(mongo, session, { journeyId: id, version: found.version, steps, goal, createdAt });
  return fromDocument(found);
}

/** A draft has entries only if it was active once; no contact enters it while it is deleted. */
async function deleteJourney(
  mongo: Mongo,
  session: ClientSession,
  workspaceId: number,
  id: number,
): Promise<JourneyDeletion> {
  const { db } = mongo;
  const journey = await documents(db, 'journeys').findOne({ _id: id, workspaceId }, { session });
  if (!journey) return 'no_journey';
  if (journey.status !== 'draft' || (await exists(documents(db, 'enrollments'), { journeyId: id }, { session }))) {
    return 'in_use';
  }
  const ofJourney = { _id: idsOfJourney(id) };
  await documents(db, 'journeyMails').deleteMany(ofJourney, { session });
  await documents(db, 'journeyVersions').deleteMany(ofJourney, { session });
  await documents(db, 'journeys').deleteOne({ _id: id }, { session });
  return 'deleted';
}

/** Reads one version of a journey. */
export async function readVersion(
  { db }: Mongo,
  journeyId: number,
  version: number,
  session?: ClientSession,
): Promise<JourneyVersion | null> {
  const found = await documents(db, 'journeyVersions').findOne(
    { _id: versionId(journeyId, version) },
    { projection: { _id: 0 }, ...(session && { session }) },
  );
  return found;
}

/** Writes a version with the content of its mails, in the transaction that makes it the newest. */
export async function insertVersion({ db }: Mongo, session: ClientSession, version: JourneyVersion): Promise<void> {
  const { journeyId, version: number } = version;
  await documents(db, 'journeyVersions').insertOne({ _id: versionId(journeyId, number), ...version }, { session });
  const mails = mailsOf(version).map(({ step, html, text }) => ({ _id: mailId(journeyId, number, step), html, text }));
  if (mails.length > 0) await documents(db, 'journeyMails').insertMany(mails, { session });
}
