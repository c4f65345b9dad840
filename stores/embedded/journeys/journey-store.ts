import { RESUME_WORK } from '../../../domain/journeys/enrollment';
import type {
  Journey,
  JourneyDefinition,
  JourneyGoal,
  JourneyStatus,
  JourneyStep,
  JourneyTrigger,
} from '../../../domain/journeys/journey';
import type { JourneyDeletion, JourneyStore } from '../../ports/journey-store';
import { resumeTask } from '../../shared/journey-tasks';
import type { Commits } from '../database/commits';
import { textIn, textOut, type Database } from '../database/database';
import { scheduleTasks } from '../queue/schedule-tasks';
import { deleteVersions, insertVersion, readVersion } from './journey-versions';

interface Row {
  id: number;
  workspace_id: number;
  name: string | Uint8Array;
  status: JourneyStatus;
  trigger_type: JourneyTrigger;
  audience_id: number | null;
  version: number;
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
  version: row.version,
  steps: JSON.parse(row.steps) as JourneyStep[],
  goal: row.goal === null ? null : (JSON.parse(row.goal) as JourneyGoal),
  secretSealed: row.secret_sealed,
  createdAt: row.created_at,
});

const FIRST = 1;

/** Reads one journey of a workspace, inside or outside a transaction. */
export function readJourney(db: Database, workspaceId: number, id: number): Journey | null {
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
        const { steps, goal, createdAt } = journey;
        insertVersion(db, { journeyId: id, version: FIRST, steps, goal, createdAt });
        return { ...journey, id, version: FIRST };
      }),
    get: async (workspaceId, id) => readJourney(db, workspaceId, id),
    list: async (workspaceId) =>
      db.all<Row>('SELECT * FROM journeys WHERE workspace_id = ? ORDER BY id', workspaceId).map(toJourney),
    version: async (workspaceId, id, version) => readJourney(db, workspaceId, id) && readVersion(db, id, version),
    setStatus: (workspaceId, id, status, at) =>
      commits.write(() => {
        const journey = readJourney(db, workspaceId, id);
        if (!journey) return null;
        db.run('UPDATE journeys SET status = ? WHERE id = ?', status, id);
        if (status === 'active' && journey.status !== 'active') {
          db.run('DELETE FROM due_tasks WHERE kind = ? AND id = ?', RESUME_WORK, String(id));
          scheduleTasks(db, [resumeTask(workspaceId, id, at)]);
        }
        return { ...journey, status };
      }),
    edit: (workspaceId, id, definition, at) =>
      commits.write(() => {
        const journey = readJourney(db, workspaceId, id);
        return journey && edit(db, journey, definition, at);
      }),
    delete: (workspaceId, id) => commits.write(() => deleteJourney(db, workspaceId, id)),
    replaceSecret: (workspaceId, id, secretSealed) =>
      commits.write(() => {
        const replaced = 'UPDATE journeys SET secret_sealed = ? WHERE id = ? AND workspace_id = ?';
        return db.run(replaced, secretSealed, id, workspaceId) > 0;
      }),
  };
}

function edit(db: Database, journey: Journey, definition: JourneyDefinition, at: number): Journey {
  const { name, triggerType, audienceId, steps, goal } = definition;
  const edited = { ...journey, name, triggerType, audienceId, steps, goal, version: journey.version + 1 };
  db.run(
    'UPDATE journeys SET name = ?, trigger_type = ?, audience_id = ?, steps = ?, goal = ?, version = ? WHERE id = ?',
    textIn(name),
    triggerType,
    audienceId,
    JSON.stringify(steps),
    goal && JSON.stringify(goal),
    edited.version,
    edited.id,
  );
  insertVersion(db, { journeyId: edited.id, version: edited.version, steps, goal, createdAt: at });
  return edited;
}

function deleteJourney(db: Database, workspaceId: number, id: number): JourneyDeletion {
  const journey = readJourney(db, workspaceId, id);
  if (!journey) return 'no_journey';
  const entered = db.get('SELECT 1 FROM enrollments WHERE journey_id = ? LIMIT 1', id);
  if (journey.status !== 'draft' || entered) return 'in_use';
  deleteVersions(db, id);
  db.run('DELETE FROM journeys WHERE id = ?', id);
  return 'deleted';
}
