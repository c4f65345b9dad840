import type { OperatorAct, OperatorLog } from '../../ports/operator-log';
import { ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';

const ACT = new ColumnList<OperatorAct & { id: number }>(
  'operator_log',
  columns('id', 'at', 'actor', 'action', 'target', 'workspaceId'),
);
const NEW = ACT.without('id');

/** Embedded driver of OperatorLog. */
export function operatorLog(db: Database, commits: Commits): OperatorLog {
  return {
    append: (act) => commits.write(() => void NEW.insert(db, act)),
    list: async (limit, before) =>
      ACT.all(db, 'WHERE id < ? ORDER BY id DESC LIMIT ?', before ?? Number.MAX_SAFE_INTEGER, limit),
  };
}
