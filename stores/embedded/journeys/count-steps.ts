import type { JourneyRef, JourneyStepCount, StepCountsPage } from '../../ports/journey-runs';
import { stepCounts } from '../../shared/step-counts';
import type { Database } from '../database/database';

const RANGE = 'e.journey_id = ?1 AND e.workspace_id = ?2 AND e.contact_id > ?3';
const OF_VERSION = `${RANGE} AND e.contact_id <= ?4 AND e.version = ?5`;

/** Counts a page of the contacts of a journey by step; see JourneyRuns.countSteps. */
export function countSteps(
  db: Database,
  { workspaceId, id, version }: JourneyRef & { version: number },
  after: number,
  limit: number,
): StepCountsPage {
  const { last, other } = db.get<{ last: number | null; other: number }>(
    `SELECT max(contact_id) AS last, total(version <> ?5) AS other FROM
       (SELECT e.contact_id, e.version FROM enrollments e WHERE ${RANGE} ORDER BY e.contact_id LIMIT ?4)`,
    ...[id, workspaceId, after, limit, version],
  )!;
  if (last === null) return { steps: [], otherVersions: 0, last };
  const page = [id, workspaceId, after, last, version] as const;
  const standing = db.all<Pick<JourneyStepCount, 'step' | 'now'>>(
    `SELECT e.step, count(*) AS now FROM enrollments e WHERE ${OF_VERSION} AND e.status = 'active' GROUP BY e.step`,
    ...page,
  );
  const done = db.all<Omit<JourneyStepCount, 'now'>>(
    `SELECT s.step, count(*) AS passed, sum(s.outcome = 'refused') AS refused,
       sum(s.type = 'email' AND s.outcome <> 'refused') AS sent
     FROM enrollments e CROSS JOIN enrollment_steps s ON s.enrollment_id = e.id WHERE ${OF_VERSION} GROUP BY s.step`,
    ...page,
  );
  return { steps: stepCounts(standing, done), otherVersions: other, last };
}
