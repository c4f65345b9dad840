import { MESSAGE_STATUSES, type MessageStatus } from '../../../domain/messages/message';
import { blockOf } from '../../../domain/contacts/list-blocks';
import { hourOf } from '../../../domain/engagement/engagement';
import type { MessagePlace } from '../database/commits';
import type { Database } from '../database/database';

interface Change {
  workspaceId: number;
  /** The block, or the hour of acceptance. */
  at: number;
  /** By status, in the order of MESSAGE_STATUSES. */
  by: number[];
}

const POSITIONS: ReadonlyMap<string, number> = new Map(MESSAGE_STATUSES.map((status, n) => [status, n]));
const BLOCK = ['workspace_id', 'level', 'block', ...MESSAGE_STATUSES];
const ADDED = MESSAGE_STATUSES.map((status) => `${status} = ${status} + excluded.${status}`).join(', ');
const ADD = `INSERT INTO message_blocks (${BLOCK.join(', ')}) VALUES (${BLOCK.map(() => '?').join(', ')})
  ON CONFLICT (workspace_id, level, block) DO UPDATE SET ${ADDED}`;

const OF_HOUR = ['workspace_id', 'hour', ...MESSAGE_STATUSES];
const ADD_HOUR = `INSERT INTO message_hours (${OF_HOUR.join(', ')}) VALUES (${OF_HOUR.map(() => '?').join(', ')})
  ON CONFLICT (workspace_id, hour) DO UPDATE SET ${ADDED}`;

/**
 * Counts the messages of each workspace by block and status, on both levels (see counted-list), and by the hour of
 * their acceptance. Sums up the changes of
 * one commit first, since consecutive messages are in one block.
 */
export class MessageCounts {
  private readonly changes = new Map<string, Change>();
  private readonly hours = new Map<string, Change>();

  constructor(private readonly db: Database) {}

  /** Records that a message of status `from`, or a new one (null), now has status `to`. */
  move(
    { seq, workspace_id: workspaceId, created_at: createdAt }: MessagePlace,
    from: MessageStatus | null,
    to: MessageStatus,
  ): void {
    for (const { by } of [
      this.changeOf(this.changes, workspaceId, blockOf(seq)),
      this.changeOf(this.hours, workspaceId, hourOf(createdAt)),
    ]) {
      if (from !== null) add(by, from, -1);
      add(by, to, 1);
    }
  }

  /** Writes the counts; the last step of a transaction. */
  flush(): void {
    if (this.changes.size === 0) return;
    const outer = new Map<string, Change>();
    for (const { workspaceId, at: block, by } of this.changes.values()) {
      this.write(0, workspaceId, block, by);
      const above = this.changeOf(outer, workspaceId, blockOf(block));
      by.forEach((n, position) => (above.by[position]! += n));
    }
    for (const { workspaceId, at: block, by } of outer.values()) this.write(1, workspaceId, block, by);
    for (const { workspaceId, at, by } of this.hours.values())
      if (isChange(by)) this.db.run(ADD_HOUR, workspaceId, at, ...by);
    this.clear();
  }

  /** Discards the counts when the transaction is rolled back. */
  clear(): void {
    this.changes.clear();
    this.hours.clear();
  }

  private changeOf(changes: Map<string, Change>, workspaceId: number, at: number): Change {
    const key = `${workspaceId} ${at}`;
    let change = changes.get(key);
    if (!change) {
      change = { workspaceId, at, by: MESSAGE_STATUSES.map(() => 0) };
      changes.set(key, change);
    }
    return change;
  }

  private write(level: number, workspaceId: number, block: number, by: readonly number[]): void {
    if (isChange(by)) this.db.run(ADD, workspaceId, level, block, ...by);
  }
}

const isChange = (by: readonly number[]): boolean => by.some((n) => n !== 0);

/** An unknown status, in damaged data, has no column. */
function add(by: number[], status: MessageStatus, n: number): void {
  const position = POSITIONS.get(status);
  if (position !== undefined) by[position]! += n;
}
