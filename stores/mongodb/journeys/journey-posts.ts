import type { ClientSession } from 'mongodb';
import { numberSteps } from '../../../domain/journeys/journey-flow';
import type { JourneyPost } from '../../../domain/journeys/journey-post';
import type { TaskClaim } from '../../ports/due-tasks';
import type { JourneyPosts, ListedPost, OpenedPost, PostResult } from '../../ports/journey-posts';
import type { JourneyRef } from '../../ports/journey-runs';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { readVersion } from './journey-store';
import { finishTask } from '../queue/finish-task';
import { guarded } from '../transactions/guard';
import { touchContact } from '../transactions/lock-contacts';
import { transact } from '../transactions/transact';
import type { JourneyPostDocument } from './enrollment-fields';

/** The counter that tells the audit which posts may be gone: those of steps before this time, ms. */
export const POSTS_TRIMMED_BEFORE = 'journey-posts:trimmed-before';

/** MongoDB driver of JourneyPosts. */
export function journeyPosts(mongo: Mongo): JourneyPosts {
  return guarded<JourneyPosts>({
    open: (id) => openPost(mongo, id),
    finish: (claim, result) => finish(mongo, claim, result),
    list: (journey, limit) => list(mongo, journey, limit),
    trim: (before, limit) => trim(mongo, before, limit),
  });
}

const toPost = ({ _id, ...post }: JourneyPostDocument): JourneyPost => post;

async function openPost(mongo: Mongo, id: string): Promise<OpenedPost | null> {
  const { db } = mongo;
  const found = await documents(db, 'journeyPosts').findOne({ _id: id });
  if (!found) return null;
  const [enrollment, journey, contact] = await Promise.all([
    documents(db, 'enrollments').findOne({ _id: found.enrollmentId }),
    documents(db, 'journeys').findOne({ _id: found.journeyId }),
    documents(db, 'contacts').findOne({ _id: found.contactId }, { projection: { email: 1, name: 1 } }),
  ]);
  const version = enrollment && (await readVersion(mongo, enrollment.journeyId, enrollment.version));
  const step = version && numberSteps(version.steps)[found.step - 1]?.step;
  if (!journey || !enrollment || step?.kind !== 'webhook') return null;
  return {
    post: toPost(found),
    journey: { id: journey._id, name: journey.name, secretSealed: journey.secretSealed },
    url: step.url,
    contact: contact && { email: contact.email, name: contact.name },
    goalReached: enrollment.goalAt !== null,
  };
}

/** Writes the contact before an answer is kept, so that its deletion at the same time conflicts and one runs again. */
const finish = (mongo: Mongo, claim: TaskClaim, { state, attempts, nextAt }: PostResult): Promise<boolean> =>
  transact(mongo, async (session) => {
    if (!(await finishTask(mongo, claim, nextAt === null ? undefined : { dueAt: nextAt }, session))) return false;
    const posts = documents(mongo.db, 'journeyPosts');
    const post = await posts.findOne({ _id: claim.id }, { session, projection: { contactId: 1 } });
    if (!post) return true;
    const answered = attempts.some(({ answer }) => answer !== null && answer !== '');
    const keep = !answered || (await touchContact(mongo.db, session, { _id: post.contactId }));
    const added = keep ? attempts : attempts.map((attempt) => ({ ...attempt, answer: null }));
    await posts.updateOne({ _id: claim.id }, { $set: { state }, $push: { attempts: { $each: added } } }, { session });
    return true;
  });

async function list({ db }: Mongo, { workspaceId, id }: JourneyRef, limit: number): Promise<ListedPost[]> {
  const found = await documents(db, 'journeyPosts')
    .find({ journeyId: id, workspaceId })
    .sort({ createdAt: -1, _id: -1 })
    .limit(limit)
    .toArray();
  const contacts = await documents(db, 'contacts')
    .find({ _id: { $in: found.map(({ contactId }) => contactId) } }, { projection: { email: 1 } })
    .toArray();
  const emails = new Map(contacts.map(({ _id, email }) => [_id, email]));
  return found.map((post) => ({ ...toPost(post), email: emails.get(post.contactId) ?? null }));
}

async function trim({ db }: Mongo, before: number, limit: number): Promise<number> {
  const posts = documents(db, 'journeyPosts');
  const old = await posts
    .find({ createdAt: { $lt: before }, state: { $ne: 'waiting' } }, { projection: { _id: 1 } })
    .sort({ createdAt: 1 })
    .limit(limit)
    .toArray();
  if (old.length === 0) return 0;
  const noted = { $max: { last: before } };
  await documents(db, 'counters').updateOne({ _id: POSTS_TRIMMED_BEFORE }, noted, { upsert: true });
  const gone = { _id: { $in: old.map(({ _id }) => _id) }, state: { $ne: 'waiting' as const } };
  return (await posts.deleteMany(gone)).deletedCount;
}

/** Removes the answers of the posts of a deleted contact, in the transaction of its deletion. */
export async function erasePostAnswers({ db }: Mongo, session: ClientSession, contactId: number): Promise<void> {
  await documents(db, 'journeyPosts').updateMany(
    { contactId, 'attempts.0': { $exists: true } },
    { $set: { 'attempts.$[].answer': null } },
    { session },
  );
}
