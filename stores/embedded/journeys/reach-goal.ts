import { goalReached, type Enrollment } from '../../../domain/journeys/enrollment';
import type { GoalHit } from '../../ports/journey-runs';
import type { Transaction } from '../database/commits';
import { readVersion } from './journey-versions';
import { endEnrollment } from './leave';

interface Row {
  id: string;
  journeyId: number;
  version: number;
  status: Enrollment['status'];
}

/** Sets the goal of enrollments; see JourneyRuns.reachGoal. */
export function reachGoal({ db }: Transaction, hit: GoalHit): boolean {
  const { workspaceId, journeyId, contactId, event, at, now } = hit;
  const found = db.all<Row>(
    `SELECT id, journey_id AS journeyId, version, status FROM enrollments
     WHERE contact_id = ?1 AND workspace_id = ?2 AND status <> 'left' AND goal_at IS NULL
       AND iif(?3 IS NULL, enrolled_at <= ?4, journey_id = ?3)`,
    contactId,
    workspaceId,
    journeyId,
    at,
  );
  let reached = false;
  for (const row of found) {
    const outcome = goalReached(readVersion(db, row.journeyId, row.version)?.goal, event, row);
    if (!outcome) continue;
    db.run('UPDATE enrollments SET goal_at = ? WHERE id = ?', at, row.id);
    if (outcome.ends) endEnrollment(db, row.id, 'left', 'goal', now);
    reached = true;
  }
  return reached;
}
