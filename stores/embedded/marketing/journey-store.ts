import type { Journey, JourneyGoal, JourneyStatus, JourneyStep, JourneyTrigger } from '../../../domain/journey';
import type { EnrolOutcome, JourneyStore, NewEnrollment } from '../../ports/journey-store';
import { refusalOf } from '../../../domain/enrolment';
import type { Commits, Transaction } from '../database/commits';
import { ensureContact, findContact } from '../contacts/contact-store';
import { textIn, textOut, type Database } from '../database/database';
import { readSuppression } from '../contacts/suppression-store';

interface Row {
  id: number;
  workspace_id: number;
  name: string | Uint8Array;
  status: JourneyStatus;
  trigger_type: JourneyTrigger;
  audience_id: number | null;
  steps: string;
  goal: string | null;
  secret_sealed: string;
  created_at: number;
}

const toJourney = (row: Row): Journey => ({
  id: row.id,
  workspaceId: row.workspace_id,
  name: textOut(row.name),
  status: row.status,
  triggerType: row.trigger_type,
  audienceId: row.audience_id,
  steps: JSON.parse(row.steps) as JourneyStep[],
  goal: row.goal === null ? null : (JSON.parse(row.goal) as JourneyGoal),
  secretSealed: row.secret_sealed,
  createdAt: row.created_at,
});

/** Reads one journey of a workspace, inside or outside a transaction. */
function readJourney(db: Database, workspaceId: number, id: number): Journey | null {
  const row = db.get<Row>('SELECT * FROM journeys WHERE id = ? AND workspace_id = ?', id, workspaceId);
  return row ? toJourney(row) : null;
}

/** Embedded driver of JourneyStore. */
export function journeyStore(db: Database, commits: Commits): JourneyStore {
  return {
    create: (journey) =>
      commits.write(() => {
        const id = db.insert(
          `INSERT INTO journeys (workspace_id, name, status, trigger_type, audience_id, steps, goal, secret_sealed, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          journey.workspaceId,
          textIn(journey.name),
          journey.status,
          journey.triggerType,
          journey.audienceId,
          JSON.stringify(journey.steps),
          journey.goal && JSON.stringify(journey.goal),
          journey.secretSealed,
          journey.createdAt,
        );
        return { ...journey, id };
      }),
    get: async (workspaceId, id) => readJourney(db, workspaceId, id),
    list: async (workspaceId) =>
      db.all<Row>('SELECT * FROM journeys WHERE workspace_id = ? ORDER BY id', workspaceId).map(toJourney),
    setStatus: (workspaceId, id, status) =>
      commits.write(() => {
        db.run('UPDATE journeys SET status = ? WHERE id = ? AND workspace_id = ?', status, id, workspaceId);
        return readJourney(db, workspaceId, id);
      }),
    enrol: (enrollment) => commits.write((tx) => enrol(tx, enrollment)),
  };
}

function enrol(tx: Transaction, { id, workspaceId, journeyId, contact: newContact, at }: NewEnrollment): EnrolOutcome {
  const { db } = tx;
  const refusal = refusalOf({
    journey: readJourney(db, workspaceId, journeyId),
    suppressed: readSuppression(db, workspaceId, newContact.emailHash) !== null,
    contact: findContact(db, workspaceId, newContact.email),
  });
  if (refusal) return { kind: 'refused', because: refusal };
  const { id: contactId } = ensureContact(tx, newContact);
  const entered = db.run(
    `INSERT INTO enrollments (id, workspace_id, journey_id, contact_id, step, due_at, goal_reached, enrolled_at)
     VALUES (?1, ?2, ?3, ?4, 0, ?5, 0, ?5) ON CONFLICT (journey_id, contact_id) DO NOTHING`,
    id,
    workspaceId,
    journeyId,
    contactId,
    at,
  );
  if (entered === 0) return { kind: 'entered_before' };
  const value = { enrollmentId: id, workspaceId, journeyId, contactId };
  tx.emit([{ topic: 'journeys.enrollments', key: String(contactId), value }]);
  return { kind: 'enrolled' };
}
