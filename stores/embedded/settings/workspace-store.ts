import type { Language } from '../../../domain/settings/language';
import type { Workspace } from '../../../domain/settings/workspace';
import type { WorkspaceStore } from '../../ports/workspace-store';
import type { Database } from '../database/database';
import type { ReadCache } from '../database/read-cache';

interface Row {
  id: number;
  name: string;
  suspended: number;
  email_module: number;
  business_name: string;
  business_address: string;
  track_conversions: number;
  created_at: number;
  language: Language;
}

const toWorkspace = (row: Row): Workspace => ({
  id: row.id,
  name: row.name,
  suspended: row.suspended === 1,
  emailModule: row.email_module === 1,
  businessName: row.business_name,
  businessAddress: row.business_address,
  trackConversions: row.track_conversions === 1,
  createdAt: row.created_at,
  language: row.language,
});

/** Reads one workspace, inside or outside a transaction. */
export function readWorkspace(db: Database, id: number): Workspace | null {
  const row = db.get<Row>('SELECT * FROM workspaces WHERE id = ?', id);
  return row ? toWorkspace(row) : null;
}

/** Embedded driver of WorkspaceStore. */
export function workspaceStore(db: Database, cache: ReadCache): WorkspaceStore {
  return {
    create: (workspace) =>
      cache.write(() => {
        const id = db.insert(
          `INSERT INTO workspaces (name, suspended, email_module, business_name, business_address, track_conversions,
             created_at, language) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
          workspace.name,
          Number(workspace.suspended),
          Number(workspace.emailModule),
          workspace.businessName,
          workspace.businessAddress,
          Number(workspace.trackConversions),
          workspace.createdAt,
          workspace.language,
        );
        return { ...workspace, id };
      }),
    get: async (id) => cache.get(`workspace ${id}`, () => readWorkspace(db, id)),
    list: async () => db.all<Row>('SELECT * FROM workspaces ORDER BY id').map(toWorkspace),
    update: (id, patch) =>
      cache.write(() => {
        const current = readWorkspace(db, id);
        if (!current) return null;
        const next = { ...current, ...patch };
        db.run(
          `UPDATE workspaces SET name = ?, suspended = ?, email_module = ?, business_name = ?, business_address = ?,
             track_conversions = ?, language = ? WHERE id = ?`,
          next.name,
          Number(next.suspended),
          Number(next.emailModule),
          next.businessName,
          next.businessAddress,
          Number(next.trackConversions),
          next.language,
          id,
        );
        return next;
      }),
  };
}
