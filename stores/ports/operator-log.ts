/** What an operator did by the command line: who, what, to what, when. */
export interface OperatorAct {
  /** ms */
  at: number;
  /** The user of the operating system, `name@host`. */
  actor: string;
  /** The command in words: `key show`, `workspace suspend`. */
  action: string;
  /** What it was done to, readable without a look-up; never a secret. */
  target: string;
  /** Null for what belongs to no workspace. */
  workspaceId: number | null;
}

/**
 * The operator's trail (docs/contract.md#api-keys: each view of a key is logged). Append-only: there is no way to
 * change or delete an entry. An entry is durable when `append` resolved; whoever shows a secret does so only then.
 */
export interface OperatorLog {
  append(act: OperatorAct): Promise<void>;
  /** Newest first, at most `limit`; those before entry `before` where it is given. Ids grow in order of appending. */
  list(limit: number, before?: number): Promise<(OperatorAct & { id: number })[]>;
}
