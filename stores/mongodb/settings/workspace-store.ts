import type { WorkspaceStore } from '../../ports/workspace-store';
import { mapOne, mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { groupedReadsById } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** MongoDB driver of WorkspaceStore. */
export function workspaceStore(mongo: Mongo): WorkspaceStore {
  const workspaces = documents(mongo.db, 'workspaces');
  const read = groupedReadsById(workspaces);
  return guarded<WorkspaceStore>({
    create: async (fields) => {
      const workspace = { ...fields, id: await takeIds(mongo, 'workspaces') };
      await workspaces.insertOne(toDocument(workspace));
      return workspace;
    },
    get: (id) => mapOne(read(id), fromDocument),
    list: () => mapAll(workspaces.find().sort({ _id: 1 }), fromDocument),
    update: (id, patch) =>
      mapOne(workspaces.findOneAndUpdate({ _id: id }, { $set: patch }, { returnDocument: 'after' }), fromDocument),
  });
}
