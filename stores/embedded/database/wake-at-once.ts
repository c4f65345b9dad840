import { AT_ONCE } from '../../ports/wakeup-store';
import type { Database } from './database';

/** Has the throttle look at a workspace at once, if it waits for anything; must run inside a transaction. */
export function lookAtOnce(db: Database, workspaceId: number): void {
  db.run('UPDATE looks SET at = ? WHERE workspace_id = ?', AT_ONCE, workspaceId);
}
