import { RESUME_WORK } from '../../../domain/journeys/enrollment';
import type { Journey, JourneyDefinition } from '../../../domain/journeys/journey';
import type { JourneyDeletion, JourneyStore } from '../../ports/journey-store';
import { resumeTask } from '../../shared/journey-tasks';
import type { Commits } from '../database/commits';
import { ColumnList, columns, jsonColumn, textColumn } from '../database/columns';
import type { Database } from '../database/database';
import { scheduleTasks } from '../queue/schedule-tasks';
import { deleteVersions, insertVersion, readVersion } from './journey-versions';

const JOURNEY = new ColumnList<Journey>('journeys', {
  ...columns('id', 'workspaceId', 'status', 'triggerType', 'audienceId', 'version', 'secretSealed', 'createdAt'),
  name: textColumn('name'),
  steps: jsonColumn('steps'),
  goal: jsonColumn('goal'),
});
const NEW = JOURNEY.without('id');
const EDIT = JOURNEY.only(['name', 'triggerType', 'audienceId', 'steps', 'goal', 'version']);

const FIRST = 1;

/** Reads one journey of a workspace, inside or outside a transaction. */
export const readJourney = (db: Database, workspaceId: number, id: number): Journey | null =>
  JOURNEY.get(db, 'WHERE id = ? AND workspace_id = ?', id, workspaceId);

/** Embedded driver of JourneyStore. */
export function journeyStore(db: Database, commits: Commits): JourneyStore {
  return {
    create: (journey) =>
      commits.write(() => {
        const id = NEW.insert(db, { ...journey, version: FIRST });
        const { steps, goal, createdAt } = journey;
        insertVersion(db, { journeyId: id, version: FIRST, steps, goal, createdAt });
        return { ...journey, id, version: FIRST };
      }),
    get: async (workspaceId, id) => readJourney(db, workspaceId, id),
    list: async (workspaceId) => JOURNEY.all(db, 'WHERE workspace_id = ? ORDER BY id', workspaceId),
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
  db.run(`UPDATE journeys SET ${EDIT.assignments} WHERE id = ?`, ...EDIT.bind(edited), edited.id);
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
