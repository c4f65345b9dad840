import type { Enrollment } from '../../../domain/journeys/enrollment';
import type { EnrolledContact, EnrollmentCounts, JourneyRef, JourneyRuns } from '../../ports/journey-runs';
import { stepTask } from '../../shared/journey-tasks';
import type { Commits, Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { scheduleTasks } from '../queue/schedule-tasks';
import { advance } from './advance';
import { countSteps } from './count-steps';
import { enroll } from './enroll';
import { ENROLLMENT, readSteps } from './enrollment-fields';
import { leaveJourneys } from './leave';
import { openEnrollments } from './open';
import { reachGoal } from './reach-goal';

/** Embedded driver of JourneyRuns. */
export function journeyRuns(db: Database, commits: Commits): JourneyRuns {
  return {
    enroll: (enrollment) => commits.write((tx) => enroll(tx, enrollment)),
    open: async (ids) => openEnrollments(db, ids),
    advance: (rounds) => commits.write((tx) => advance(tx, rounds)),
    leave: ({ contactId, journeyId }, reason, at) =>
      commits.write((tx) => leaveJourneys(tx, contactId, reason, at, journeyId)),
    reachGoal: (hit) => commits.write((tx) => reachGoal(tx, hit)),
    resume: (journey, after, limit) => commits.write((tx) => resume(tx, journey, after, limit)),
    list: async (journey, after, limit) => list(db, journey, after, limit),
    count: async (journey) => count(db, journey),
    countSteps: async (journey, after, limit) => countSteps(db, journey, after, limit),
    ofContact: async (workspaceId, contactId) =>
      ENROLLMENT.all(db, 'WHERE contact_id = ? AND workspace_id = ?', contactId, workspaceId).sort(
        (a, b) => a.journeyId - b.journeyId,
      ),
  };
}

const PAGE = `SELECT ${ENROLLMENT.select('e')} FROM enrollments e JOIN journeys j ON j.id = e.journey_id
  WHERE e.journey_id = ? AND e.workspace_id = ? AND e.contact_id > ?`;

const readPage = (db: Database, sql: string, { workspaceId, id }: JourneyRef, after: number, limit: number) =>
  db
    .all<object>(`${PAGE} ${sql} ORDER BY e.contact_id LIMIT ?`, id, workspaceId, after, limit)
    .map((row): Enrollment => ENROLLMENT.fromRow(row));

function resume({ db }: Transaction, journey: JourneyRef, after: number, limit: number): number | null {
  const page = readPage(db, `AND j.status = 'active'`, journey, after, limit);
  scheduleTasks(db, page.filter(({ status }) => status === 'active').map(stepTask));
  return page.at(-1)?.contactId ?? null;
}

const list = (db: Database, journey: JourneyRef, after: number, limit: number): EnrolledContact[] =>
  readPage(db, '', journey, after, limit).map((enrollment) => ({
    ...enrollment,
    email: db.get<{ email: string }>('SELECT email FROM contacts WHERE id = ?', enrollment.contactId)?.email ?? null,
    steps: readSteps(db, enrollment.id),
  }));

const count = (db: Database, { workspaceId, id }: JourneyRef): EnrollmentCounts => {
  const counts = db.get<EnrollmentCounts>(
    `SELECT total(status = 'active') AS active, total(status = 'completed') AS completed, total(status = 'left') AS left
     FROM enrollments WHERE journey_id = ? AND workspace_id = ?`,
    id,
    workspaceId,
  );
  return { active: 0, completed: 0, left: 0, ...counts };
};
