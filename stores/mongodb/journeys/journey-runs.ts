import type {
  EnrolledContact,
  EnrollmentCounts,
  EnrollOutcome,
  JourneyRef,
  JourneyRuns,
  NewEnrollment,
} from '../../ports/journey-runs';
import { stepTask } from '../../shared/journey-tasks';
import { exists, mapAll, pageAfter } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument } from '../database/documents';
import { scheduleTasks } from '../queue/schedule-tasks';
import { GroupedBy } from '../transactions/grouped-by';
import { guarded } from '../transactions/guard';
import { transact } from '../transactions/transact';
import { advance } from './advance';
import { countSteps } from './count-steps';
import { enroll, type EnrollParts } from './enroll';
import { leaveAfter } from './leave';
import { openEnrollments } from './open';
import { reachGoal } from './reach-goal';

/** The most enrollments in one transaction. */
const MAX_ENROLLMENTS = 100;

/** Enrollments by address. Each writes the contact, so separate transactions for one address would only conflict. */
export type GroupedEnrollments = GroupedBy<string, NewEnrollment, EnrollOutcome>;

/** Groups enrollments. */
export const groupedEnrollments = (parts: EnrollParts): GroupedEnrollments =>
  new GroupedBy((_address, enrollments) => enroll(parts, enrollments), { maxItems: MAX_ENROLLMENTS });

/** MongoDB driver of JourneyRuns. */
export function journeyRuns(mongo: Mongo, enrollments: GroupedEnrollments): JourneyRuns {
  return guarded<JourneyRuns>({
    enroll: (enrollment) => {
      const { workspaceId, contact } = enrollment;
      return enrollments.submit(`${workspaceId} ${contact.email}`, enrollment);
    },
    open: (ids) => openEnrollments(mongo, ids),
    advance: (rounds) => advance(mongo, rounds),
    leave: ({ contactId, journeyId }, reason, at) => leaveAfter(mongo, contactId, reason, at, journeyId),
    reachGoal: (hit) => reachGoal(mongo, hit),
    resume: (journey, after, limit) => resume(mongo, journey, after, limit),
    list: (journey, after, limit) => list(mongo, journey, after, limit),
    count: (journey) => count(mongo, journey),
    countSteps: (journey, after, limit) => countSteps(mongo, journey, after, limit),
    ofContact: async (workspaceId, contactId) =>
      (await mapAll(documents(mongo.db, 'enrollments').find({ contactId, workspaceId }), fromDocument)).sort(
        (a, b) => a.journeyId - b.journeyId,
      ),
  });
}

const resume = (mongo: Mongo, { workspaceId, id }: JourneyRef, after: number, limit: number): Promise<number | null> =>
  transact(mongo, async (session) => {
    const { db } = mongo;
    const active = { _id: id, workspaceId, status: 'active' as const };
    if (!(await exists(documents(db, 'journeys'), active, { session }))) return null;
    const enrollments = documents(db, 'enrollments');
    const page = await pageAfter(enrollments, { journeyId: id }, ['contactId', after], limit, { session }).toArray();
    const waiting = page.filter(({ status }) => status === 'active').map(fromDocument);
    await scheduleTasks(mongo, session, waiting.map(stepTask));
    return page.at(-1)?.contactId ?? null;
  });

async function list(
  { db }: Mongo,
  { workspaceId, id }: JourneyRef,
  after: number,
  limit: number,
): Promise<EnrolledContact[]> {
  const ofJourney = { journeyId: id, workspaceId };
  const page = await pageAfter(documents(db, 'enrollments'), ofJourney, ['contactId', after], limit).toArray();
  const [contacts, steps] = await Promise.all([
    documents(db, 'contacts')
      .find({ _id: { $in: page.map(({ contactId }) => contactId) } }, { projection: { email: 1 } })
      .toArray(),
    documents(db, 'enrollmentSteps')
      .find({ enrollmentId: { $in: page.map(({ _id }) => _id) } })
      .sort({ enrollmentId: 1, step: 1 })
      .toArray(),
  ]);
  const emails = new Map(contacts.map(({ _id, email }) => [_id, email]));
  return page.map((document) => ({
    ...fromDocument(document),
    email: emails.get(document.contactId) ?? null,
    steps: steps
      .filter(({ enrollmentId }) => enrollmentId === document._id)
      .map(({ _id, enrollmentId: _of, ...step }) => step),
  }));
}

async function count({ db }: Mongo, { workspaceId, id }: JourneyRef): Promise<EnrollmentCounts> {
  const found = await documents(db, 'enrollments')
    .aggregate<{ _id: keyof EnrollmentCounts; n: number }>([
      { $match: { journeyId: id, workspaceId } },
      { $group: { _id: '$status', n: { $sum: 1 } } },
    ])
    .toArray();
  return { active: 0, completed: 0, left: 0, ...Object.fromEntries(found.map(({ _id, n }) => [_id, n])) };
}
