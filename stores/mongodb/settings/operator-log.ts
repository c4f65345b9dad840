import type { OperatorLog } from '../../ports/operator-log';
import { mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument } from '../database/documents';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** MongoDB driver of OperatorLog. */
export function operatorLog(mongo: Mongo): OperatorLog {
  const entries = documents(mongo.db, 'operatorLog');
  return guarded<OperatorLog>({
    append: async ({ at, actor, action, target, workspaceId }) => {
      const id = await takeIds(mongo, 'operatorLog');
      await entries.insertOne({ _id: id, at, actor, action, target, workspaceId });
    },
    list: (limit, before) =>
      mapAll(
        entries
          .find(before === undefined ? {} : { _id: { $lt: before } })
          .sort({ _id: -1 })
          .limit(limit),
        fromDocument,
      ),
  });
}
