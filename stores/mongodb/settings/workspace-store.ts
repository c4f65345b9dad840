import type { Workspace } from '../../../domain/settings/workspace';
import type { WorkspaceStore } from '../../ports/workspace-store';
import { mapOne, mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument, type Documents } from '../database/documents';
import { groupedReadsById } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** A workspace that is older than approvals needs none. */
const toWorkspace = (found: Documents['workspaces']): Workspace =>
  fromDocument({ ...found, campaignApproval: found.campaignApproval ?? false });

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
    get: (id) => mapOne(read(id), toWorkspace),
    list: () => mapAll(workspaces.find().sort({ _id: 1 }), toWorkspace),
    update: (id, patch) =>
      mapOne(workspaces.findOneAndUpdate({ _id: id }, { $set: patch }, { returnDocument: 'after' }), toWorkspace),
  });
}
