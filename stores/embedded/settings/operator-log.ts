import type { OperatorLog } from '../../ports/operator-log';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';

interface Row {
  id: number;
  at: number;
  actor: string;
  action: string;
  target: string;
  workspace_id: number | null;
}

/** Embedded driver of OperatorLog. */
export function operatorLog(db: Database, commits: Commits): OperatorLog {
  return {
    append: (act) =>
      commits.write(() => {
        db.run(
          'INSERT INTO operator_log (at, actor, action, target, workspace_id) VALUES (?, ?, ?, ?, ?)',
          act.at,
          act.actor,
          act.action,
          act.target,
          act.workspaceId,
        );
      }),
    list: async (limit, before) =>
      db
        .all<Row>(
          'SELECT * FROM operator_log WHERE id < ? ORDER BY id DESC LIMIT ?',
          before ?? Number.MAX_SAFE_INTEGER,
          limit,
        )
        .map(({ workspace_id: workspaceId, ...act }) => ({ ...act, workspaceId })),
  };
}
