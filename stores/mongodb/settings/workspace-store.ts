import type { WorkspaceStore } from '../../ports/workspace-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { byId, groupedReads } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

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
      return found && fromDocument(found);
    },
    list: async () => (await workspaces.find().sort({ _id: 1 }).toArray()).map(fromDocument),
    update: async (id, patch) => {
      const changed = await workspaces.findOneAndUpdate({ _id: id }, { $set: patch }, { returnDocument: 'after' });
      return changed && fromDocument(changed);
    },
  });
}
