/** An operator action on the command line: who did what, to what, and when. */
export interface OperatorAct {
  /** ms */
  at: number;
  /** The operating system user, `name@host`. */
  actor: string;
  /** The command: `key show`, `workspace suspend`. */
  action: string;
  /** The target of the action, readable without a look-up. Never a secret. */
  target: string;
  /** Null if it belongs to no workspace. */
  workspaceId: number | null;
}

/**
 * The log of operator actions (docs/contract.md#api-keys: each view of a key is logged). Append-only: an entry cannot
 * be changed or deleted. It is durable once `append` has resolved; show a secret only after that.
 */
export interface OperatorLog {
  append(act: OperatorAct): Promise<void>;
  /** Newest first, at most `limit`. With `before`, only entries before that one. Ids grow in the order of appending. */
  list(limit: number, before?: number): Promise<(OperatorAct & { id: number })[]>;
}
