import { DEFAULT_LANGUAGE } from '../../../domain/settings/language';
import type { Workspace } from '../../../domain/settings/workspace';
import type { WorkspaceStore } from '../../ports/workspace-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import type { Stored } from '../database/stored';
import { byId, groupedReads } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** Workspaces from before languages have the one of all then. */
const OLDER = { language: DEFAULT_LANGUAGE } as const;
const toWorkspace = (stored: Stored<Workspace>): Workspace => ({ ...OLDER, ...fromDocument(stored) });

/** MongoDB driver of WorkspaceStore. */
export function workspaceStore(mongo: Mongo): WorkspaceStore {
  const workspaces = documents(mongo.db, 'workspaces');
  const read = groupedReads(async (ids: readonly number[]) =>
    byId(await workspaces.find({ _id: { $in: [...ids] } }).toArray()),
  );
  return guarded<WorkspaceStore>({
    create: async (fields) => {
      const workspace = { ...fields, id: await takeIds(mongo, 'workspaces') };
      await workspaces.insertOne(toDocument(workspace));
      return workspace;
    },
    get: async (id) => {
      const found = await read(id);
      return found && toWorkspace(found);
    },
    list: async () => (await workspaces.find().sort({ _id: 1 }).toArray()).map(toWorkspace),
    update: async (id, patch) => {
      const changed = await workspaces.findOneAndUpdate({ _id: id }, { $set: patch }, { returnDocument: 'after' });
      return changed && toWorkspace(changed);
    },
  });
}
