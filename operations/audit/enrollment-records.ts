import type { EnrollmentRecord } from '../../domain/audit/check-enrollment';
import { readAttempts } from '../../domain/audit/stored-json';
import { POST_WORK, RESUME_WORK, STEP_WORK, type Enrollment } from '../../domain/journeys/enrollment';
import type { AuditSnapshot, Pages } from '../../stores/ports/audit-source';
import { byKey, find, grouped } from './rows';

/** Enrollments with what is stored about their ways. */
export async function* enrollmentRecords(
  rows: AuditSnapshot,
  pages: Pages<Enrollment>,
): AsyncGenerator<EnrollmentRecord[]> {
  const { postsTrimmedBefore: trimmedBefore } = await rows.settings();
  for await (const page of pages) yield withSteps(rows, page, trimmedBefore);
}

async function withSteps(
  rows: AuditSnapshot,
  page: readonly Enrollment[],
  trimmedBefore: number | null,
): Promise<EnrollmentRecord[]> {
  const ids = page.map(({ id }) => id);
  const journeyIds = page.map(({ journeyId }) => journeyId);
  const journeys = byKey(await find(rows, 'journeys', 'id', journeyIds), ({ id }) => id);
  const versions = await readVersions(rows, page);
  const steps = await find(rows, 'enrollmentSteps', 'enrollmentId', ids);
  const done = grouped(
    steps.sort((a, b) => a.step - b.step),
    ({ enrollmentId }) => enrollmentId,
  );
  const messageIds = steps.map(({ messageId }) => messageId);
  const mails = byKey(await find(rows, 'mails', 'id', messageIds), ({ id }) => id);
  const posts = await find(rows, 'posts', 'enrollmentId', ids);
  const postsOf = grouped(posts, ({ enrollmentId }) => enrollmentId);
  const due = await readTasks(rows, [
    ...ids.map((id) => [STEP_WORK, id] as const),
    ...journeyIds.map((id) => [RESUME_WORK, String(id)] as const),
    ...posts.map(({ enrollmentId, step }) => [POST_WORK, `${enrollmentId}:${step}`] as const),
  ]);
  return page.map((enrollment) => {
    const { id, journeyId, version } = enrollment;
    const isOfStep = (messageId: string | null, step: number): boolean => {
      const mail = mails.get(messageId ?? '');
      return mail?.journeyId === journeyId && mail.journeyStep === step;
    };
    return {
      enrollment,
      trimmedBefore,
      journeyStatus: journeys.get(journeyId)?.status ?? null,
      steps: versions.get(`${journeyId}:${version}`)?.steps ?? null,
      done: (done.get(id) ?? []).map((row) => ({ ...row, hasMail: isOfStep(row.messageId, row.step) })),
      hasTask: due.has(`${STEP_WORK}:${id}`),
      hasResume: due.has(`${RESUME_WORK}:${journeyId}`),
      posts: (postsOf.get(id) ?? []).map(({ step, state, attempts }) => ({
        step,
        state,
        ...readAttempts(attempts),
        hasTask: due.has(`${POST_WORK}:${id}:${step}`),
      })),
    };
  });
}

async function readVersions(rows: AuditSnapshot, page: readonly Enrollment[]) {
  const keys = page.map(({ journeyId, version }) => [journeyId, version] as const);
  const found = await find(rows, 'journeyVersions', 'key', keys);
  return byKey(found, ({ journeyId, version }) => `${journeyId}:${version}`);
}

/** Those of these due tasks that there are, as `<kind>:<id>`. */
async function readTasks(rows: AuditSnapshot, keys: readonly (readonly [string, string])[]): Promise<Set<string>> {
  return new Set((await find(rows, 'tasks', 'key', keys)).map(({ kind, id }) => `${kind}:${id}`));
}
