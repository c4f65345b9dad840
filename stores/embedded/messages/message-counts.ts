import { MESSAGE_STATUSES, type MessageStatus } from '../../../domain/message';
import { blockOf } from '../../../domain/list-blocks';
import type { Database } from '../database/database';

/** Where a message is in the list of its workspace. */
export interface MessagePlace {
  seq: number;
  workspace_id: number;
}

interface Change {
  workspaceId: number;
  block: number;
  /** By status, in the order of MESSAGE_STATUSES. */
  by: number[];
}

const POSITIONS: ReadonlyMap<string, number> = new Map(MESSAGE_STATUSES.map((status, n) => [status, n]));
const COLUMNS = MESSAGE_STATUSES.join(', ');
const ADDED = MESSAGE_STATUSES.map((status) => `${status} = ${status} + excluded.${status}`).join(', ');
const ADD = `INSERT INTO message_blocks (workspace_id, level, block, ${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (workspace_id, level, block) DO UPDATE SET ${ADDED}`;

/**
 * Counts the messages of each workspace by blocks and statuses, on both levels (see counted-list). What one commit counts is
 * added up first: moves of messages that follow each other lie in one block.
 */
export class MessageCounts {
  private readonly changes = new Map<string, Change>();

  constructor(private readonly db: Database) {}

  /** A message of the status `from`, or a new one (null), now has the status `to`. */
  move({ seq, workspace_id: workspaceId }: MessagePlace, from: MessageStatus | null, to: MessageStatus): void {
    const { by } = this.changeOf(this.changes, workspaceId, blockOf(seq));
    if (from !== null) add(by, from, -1);
    add(by, to, 1);
  }

  /** Writes what was counted; the last thing a transaction does. */
  flush(): void {
    if (this.changes.size === 0) return;
    const outer = new Map<string, Change>();
    for (const { workspaceId, block, by } of this.changes.values()) {
      this.write(0, workspaceId, block, by);
      const above = this.changeOf(outer, workspaceId, blockOf(block));
      by.forEach((n, position) => (above.by[position]! += n));
    }
    for (const { workspaceId, block, by } of outer.values()) this.write(1, workspaceId, block, by);
    this.changes.clear();
  }

  /** Forgets what was counted, with the transaction that is rolled back. */
  clear(): void {
    this.changes.clear();
  }

  private changeOf(changes: Map<string, Change>, workspaceId: number, block: number): Change {
    const key = `${workspaceId} ${block}`;
    let change = changes.get(key);
    if (!change) {
      change = { workspaceId, block, by: MESSAGE_STATUSES.map(() => 0) };
      changes.set(key, change);
    }
    return change;
  }

  private write(level: number, workspaceId: number, block: number, by: readonly number[]): void {
    if (by.some((n) => n !== 0)) this.db.run(ADD, workspaceId, level, block, ...by);
  }
}

/** A status that there is not, in damaged data, is in no column. */
function add(by: number[], status: MessageStatus, n: number): void {
  const position = POSITIONS.get(status);
  if (position !== undefined) by[position]! += n;
}
