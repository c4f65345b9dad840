import { changedRates } from '../../../domain/queue/send-rate';
import type { Workspace } from '../../../domain/settings/workspace';
import type { WorkspaceStore } from '../../ports/workspace-store';
import { mapOne, mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument, type Documents } from '../database/documents';
import { groupedReadsById } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';
import { transact } from '../transactions/transact';
import { lookAtOnce } from '../database/wake-at-once';
import { takeIds } from '../database/ids';

/** A workspace may be older than approvals, own rates and the choice for mail in doubt. */
const toWorkspace = (found: Documents['workspaces']): Workspace =>
  fromDocument({ campaignApproval: false, rates: [], unconfirmed: 'fail' as const, ...found });

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
    setRate: (id, change, since) =>
      transact(mongo, async (session) => {
        const found = await workspaces.findOne({ _id: id }, { session });
        if (!found) return null;
        const rates = changedRates(found.rates ?? [], change, since);
        await workspaces.updateOne({ _id: id }, { $set: { rates } }, { session });
        await lookAtOnce(mongo, session, id);
        return toWorkspace({ ...found, rates });
      }),
  });
}
