import { changedRates } from '../../../domain/queue/send-rate';
import type { Workspace } from '../../../domain/settings/workspace';
import type { WorkspaceStore } from '../../ports/workspace-store';
import { ColumnList, columns, flagColumn, jsonColumn } from '../database/columns';
import type { Database } from '../database/database';
import type { ReadCache } from '../database/read-cache';
import { lookAtOnce } from '../database/wake-at-once';

const WORKSPACE = new ColumnList<Workspace>('workspaces', {
  ...columns('id', 'name', 'businessName', 'businessAddress', 'createdAt', 'language', 'unconfirmed'),
  suspended: flagColumn('suspended'),
  emailModule: flagColumn('email_module'),
  trackConversions: flagColumn('track_conversions'),
  campaignApproval: flagColumn('campaign_approval'),
  rates: jsonColumn('rates'),
});
const NEW = WORKSPACE.without('id');
const EDIT = NEW.without('createdAt');

/** Reads one workspace, inside or outside a transaction. */
export const readWorkspace = (db: Database, id: number): Workspace | null => WORKSPACE.get(db, 'WHERE id = ?', id);

/** Embedded driver of WorkspaceStore. */
export function workspaceStore(db: Database, cache: ReadCache): WorkspaceStore {
  const write = (id: number, change: (current: Workspace) => Partial<Workspace>): Workspace | null => {
    const current = readWorkspace(db, id);
    if (!current) return null;
    const next = { ...current, ...change(current) };
    db.run(`UPDATE workspaces SET ${EDIT.assignments} WHERE id = ?`, ...EDIT.bind(next), id);
    return next;
  };
  return {
    create: (workspace) => cache.write(() => ({ ...workspace, id: NEW.insert(db, workspace) })),
    get: async (id) => cache.get(`workspace ${id}`, () => readWorkspace(db, id)),
    list: async () => WORKSPACE.all(db, 'ORDER BY id'),
    update: (id, patch) => cache.write(() => write(id, () => patch)),
    setRate: (id, change, since) =>
      cache.write(() => {
        lookAtOnce(db, id);
        return write(id, ({ rates }) => ({ rates: changedRates(rates, change, since) }));
      }),
  };
}
