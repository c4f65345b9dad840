import type { EnrolmentRecord, PostRecord } from '../../../domain/audit/check-enrolment';
import { POST_WORK, RESUME_WORK, STEP_WORK } from '../../../domain/journeys/enrollment';
import type { DeliveryAttempt } from '../../../domain/webhooks/webhook-delivery';
import { documents } from '../database/documents';
import {
  versionId,
  type EnrollmentDocument,
  type EnrollmentStepDocument,
  type JourneyPostDocument,
} from '../journeys/enrollment-fields';
import { POSTS_TRIMMED_BEFORE } from '../journeys/journey-posts';
import { taskId } from '../queue/schedule-tasks';
import { guard } from '../transactions/guard';
import { pages, type Snapshot } from '../transactions/snapshot';

const PAGE = 200;

/** The enrolments of a workspace with what is stored about their ways, read in one snapshot. */
export async function* enrolmentPages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<EnrolmentRecord[]> {
  const { db, moment } = snapshot;
  const trimmed = await guard(() => documents(db, 'counters').findOne({ _id: POSTS_TRIMMED_BEFORE }, moment));
  const found = documents(db, 'enrollments')
    .find({ workspaceId }, { ...moment, batchSize: PAGE })
    .sort({ _id: 1 });
  for await (const page of pages(found, PAGE)) {
    const facts = await guard(() => readFacts(snapshot, page));
    yield page.map((one) => toRecord(one, facts, trimmed?.last ?? null));
  }
}

type Facts = Awaited<ReturnType<typeof readFacts>>;

/** Everything that belongs to a page of enrolments. */
async function readFacts({ db, moment }: Snapshot, page: readonly EnrollmentDocument[]) {
  const ids = page.map(({ _id }) => _id);
  const inJourneys = { $in: unique(page.map(({ journeyId }) => journeyId)) };
  const inVersions = { $in: unique(page.map(({ journeyId, version }) => versionId(journeyId, version))) };
  const journeys = await documents(db, 'journeys')
    .find({ _id: inJourneys }, { ...moment, projection: { status: 1 } })
    .toArray();
  const versions = await documents(db, 'journeyVersions').find({ _id: inVersions }, moment).toArray();
  const steps = await documents(db, 'enrollmentSteps')
    .find({ enrollmentId: { $in: ids } }, moment)
    .sort({ enrollmentId: 1, step: 1 })
    .toArray();
  const messages = await documents(db, 'messages')
    .find(
      { _id: { $in: steps.flatMap(({ messageId }) => messageId ?? []) } },
      { ...moment, projection: { journeyId: 1, journeyStep: 1 } },
    )
    .toArray();
  const postIds = steps.filter(({ type }) => type === 'webhook').map(({ _id }) => _id);
  const posts = await documents(db, 'journeyPosts')
    .find({ _id: { $in: postIds } }, { ...moment, projection: { 'attempts.answer': 0 } })
    .toArray();
  const tasks = [
    ...ids.map((id) => taskId({ kind: STEP_WORK, id })),
    ...postIds.map((id) => taskId({ kind: POST_WORK, id })),
    ...inJourneys.$in.map((id) => taskId({ kind: RESUME_WORK, id: String(id) })),
  ];
  const due = await documents(db, 'dueTasks')
    .find({ _id: { $in: tasks } }, { ...moment, projection: { _id: 1 } })
    .toArray();
  return {
    journeys: new Map(journeys.map(({ _id, status }) => [_id, status])),
    versions: new Map(versions.map(({ _id, steps: written }): [string, EnrolmentRecord['steps']] => [_id, written])),
    steps: byEnrollment(steps),
    mails: new Set(messages.map(({ _id, journeyId, journeyStep }) => `${_id} ${journeyId} ${journeyStep}`)),
    posts: byEnrollment(posts),
    due: new Set(due.map(({ _id }) => _id)),
  };
}

function toRecord(
  { _id: id, ...enrollment }: EnrollmentDocument,
  { journeys, versions, steps, mails, posts, due }: Facts,
  trimmedBefore: number | null,
): EnrolmentRecord {
  const { journeyId, version } = enrollment;
  const found = versions.get(versionId(journeyId, version));
  return {
    enrollment: { id, ...enrollment },
    journeyStatus: journeys.get(journeyId) ?? null,
    steps: Array.isArray(found) ? found : null,
    done: (steps.get(id) ?? []).map((row: EnrollmentStepDocument) => ({
      ...row,
      hasMail: mails.has(`${row.messageId} ${journeyId} ${row.step}`),
    })),
    hasTask: due.has(taskId({ kind: STEP_WORK, id })),
    hasResume: due.has(taskId({ kind: RESUME_WORK, id: String(journeyId) })),
    posts: (posts.get(id) ?? []).map((post) => toPost(post, due)),
    trimmedBefore,
  };
}

/** Damaged data may hold anything. */
function toPost({ _id: id, step, state, attempts }: JourneyPostDocument, due: ReadonlySet<string>): PostRecord {
  const read = Array.isArray(attempts) ? attempts : null;
  const last = read?.at(-1) as Partial<DeliveryAttempt> | undefined;
  const succeeded = last !== undefined && (last.error ?? null) === null;
  return { step, state, attempts: read?.length ?? null, succeeded, hasTask: due.has(taskId({ kind: POST_WORK, id })) };
}

const unique = <T>(values: readonly T[]): T[] => [...new Set(values)];

function byEnrollment<T extends { enrollmentId: string }>(rows: readonly T[]): Map<string, T[]> {
  const found = new Map<string, T[]>();
  for (const row of rows) found.set(row.enrollmentId, [...(found.get(row.enrollmentId) ?? []), row]);
  return found;
}
