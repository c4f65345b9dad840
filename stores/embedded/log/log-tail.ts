import type { TopicName } from '../../../streams/topics';
import type { LogRow } from './read-rows';

/** Rows that are kept of each topic. A reader that is further behind reads the file. */
const KEPT = 512;

/** A row that a commit has appended to a topic. */
export interface AppendedRow {
  topic: TopicName;
  row: LogRow;
}

/**
 * The newest rows of each topic, as the commits of this process appended them. Every commit changes the file under the
 * connection of the readers, whose next read then begins with an empty cache: a reader that keeps up finds its rows
 * here instead, and only looks into the file for those of other processes.
 */
export class LogTail {
  /** By topic, with offsets that follow each other. */
  private readonly rows = new Map<TopicName, LogRow[]>();

  /** Adds the rows of a commit, in its order. */
  add(appended: readonly AppendedRow[]): void {
    for (const { topic, row } of appended) {
      const rows = this.rows.get(topic);
      // Another process has appended in between: that row is in the file only.
      if (rows?.at(-1)?.offset !== row.offset - 1) this.rows.set(topic, [row]);
      else if (rows.push(row) >= 2 * KEPT) rows.splice(0, KEPT);
    }
  }

  /** At most `limit` rows of a topic from an offset on; none when it is the next to come. Null: they are not here. */
  from(topic: TopicName, offset: number, limit: number): LogRow[] | null {
    const rows = this.rows.get(topic);
    if (!rows) return null;
    const start = offset - rows[0]!.offset;
    return start < 0 || start > rows.length ? null : rows.slice(start, start + limit);
  }
}
