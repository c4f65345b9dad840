import type { EnrolmentRecord, PostRecord } from '../../../domain/audit/check-enrolment';
import {
  POST_WORK,
  RESUME_WORK,
  STEP_WORK,
  type Enrollment,
  type EnrollmentStep,
} from '../../../domain/journeys/enrollment';
import type { JourneyStatus, JourneyStep } from '../../../domain/journeys/journey';
import { textOut } from '../database/database';
import { ENROLLMENT } from '../journeys/enrollment-fields';
import { POSTS_TRIMMED_BEFORE } from '../journeys/journey-posts';
import type { ReadOnlyFile } from './read-only-file';

const PAGE = 200;

interface Row {
  journey_status: JourneyStatus | null;
  has_task: 0 | 1;
  has_resume: 0 | 1;
}

/** The enrolments of a workspace with what is stored about their ways. Read them while the file is on hold. */
export async function* enrolmentPages(file: ReadOnlyFile, workspaceId: number): AsyncGenerator<EnrolmentRecord[]> {
  const versions = new Map<string, JourneyStep[] | null>();
  const trimmed = file.get<{ value: string }>('SELECT value FROM settings WHERE name = ?', POSTS_TRIMMED_BEFORE);
  const trimmedBefore = trimmed ? Number(trimmed.value) : null;
  const pages = file.pages<Row>(
    PAGE,
    `SELECT e.*, j.status AS journey_status,
       EXISTS (SELECT 1 FROM due_tasks t WHERE t.kind = '${STEP_WORK}' AND t.id = e.id) AS has_task,
       EXISTS (SELECT 1 FROM due_tasks t WHERE t.kind = '${RESUME_WORK}' AND t.id = CAST(e.journey_id AS TEXT)) AS has_resume
     FROM enrollments e LEFT JOIN journeys j ON j.id = e.journey_id WHERE e.workspace_id = ?`,
    workspaceId,
  );
  for (const page of pages) {
    yield page.map((row) => {
      const enrollment: Enrollment = ENROLLMENT.fromRow(row);
      return {
        enrollment,
        journeyStatus: row.journey_status,
        steps: stepsOf(file, versions, enrollment),
        done: doneBy(file, enrollment),
        hasTask: row.has_task === 1,
        hasResume: row.has_resume === 1,
        posts: postsOf(file, enrollment.id),
        trimmedBefore,
      };
    });
  }
}

function stepsOf(
  file: ReadOnlyFile,
  versions: Map<string, JourneyStep[] | null>,
  { journeyId, version }: Enrollment,
): JourneyStep[] | null {
  const key = `${journeyId}:${version}`;
  const known = versions.get(key);
  if (known !== undefined) return known;
  const row = file.get<{ steps: string | null }>(
    `SELECT iif(json_valid(steps), steps, NULL) AS steps FROM journey_versions WHERE journey_id = ? AND version = ?`,
    journeyId,
    version,
  );
  const steps = row?.steps ? (JSON.parse(row.steps) as JourneyStep[]) : null;
  versions.set(key, steps);
  return steps;
}

interface StepRow {
  step: number;
  type: EnrollmentStep['type'];
  at: number;
  outcome: EnrollmentStep['outcome'];
  reason: string | Uint8Array | null;
  message_id: string | null;
  has_mail: 0 | 1;
}

const doneBy = (file: ReadOnlyFile, { id, journeyId }: Enrollment): EnrolmentRecord['done'] =>
  file
    .all<StepRow>(
      `SELECT s.*, EXISTS (SELECT 1 FROM messages m WHERE m.id = s.message_id AND m.journey_id = ?
         AND m.journey_step = s.step) AS has_mail
       FROM enrollment_steps s WHERE s.enrollment_id = ? ORDER BY s.step`,
      journeyId,
      id,
    )
    .map(({ step, type, at, outcome, reason, message_id: messageId, has_mail: hasMail }) => ({
      ...{ step, type, at, outcome, messageId, hasMail: hasMail === 1 },
      reason: reason === null ? null : textOut(reason),
    }));

interface PostRow extends Pick<PostRecord, 'step' | 'state' | 'attempts'> {
  error: string | null;
  has_task: 0 | 1;
}

const postsOf = (file: ReadOnlyFile, enrollmentId: string): PostRecord[] =>
  file
    .all<PostRow>(
      `SELECT p.step, p.state, iif(json_valid(p.attempts), json_array_length(p.attempts), NULL) AS attempts,
         iif(json_valid(p.attempts), json_extract(p.attempts, '$[#-1].error'), NULL) AS error,
         EXISTS (SELECT 1 FROM due_tasks t WHERE t.kind = '${POST_WORK}' AND t.id = p.enrollment_id || ':' || p.step) AS has_task
       FROM journey_posts p WHERE p.enrollment_id = ? ORDER BY p.step`,
      enrollmentId,
    )
    .map(({ step, state, attempts, error, has_task: hasTask }) => ({
      ...{ step, state, attempts, succeeded: (attempts ?? 0) > 0 && error === null, hasTask: hasTask === 1 },
    }));
