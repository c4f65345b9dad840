import type { LogReader, ReaderHooks } from '../../event-log';
import type { GroupStarts } from '../../group-starts';
import { startsAtNewest, type GroupName } from '../../topics';
import type { KafkaClient } from './client';
import { AT_OLDEST, GroupStart } from './group-start';
import { KafkaReader } from './kafka-reader';
import type { ServedLog } from './names';
import type { Watchdog } from './watchdog';

export interface KafkaReadersDeps {
  served: ServedLog;
  client: Pick<KafkaClient, 'feed'>;
  starts: GroupStarts;
  watchdog: Pick<Watchdog, 'watch'>;
  problem: (group: GroupName, error: unknown) => void;
}

/** The readers of a log, which leave and join their groups together. */
export class KafkaReaders {
  private readonly readers = new Map<KafkaReader, GroupName>();
  /** Groups that this process stays out of for a change. */
  private readonly changing = new Set<GroupName>();
  private suspended = false;

  constructor(private readonly deps: KafkaReadersDeps) {}

  /** See EventLog. While suspended, the reader joins only once that ends. */
  async open(group: GroupName, hooks: ReaderHooks): Promise<LogReader> {
    const { served, client, starts, watchdog, problem } = this.deps;
    const { topics } = served.groups[group];
    const atNewest = startsAtNewest(served.groups, group);
    const start = atNewest ? await GroupStart.open(served, starts, group) : AT_OLDEST;
    const reader = new KafkaReader(
      (owner) => client.feed({ group, topics }, owner),
      hooks,
      (error) => problem(group, error),
      start,
      this.suspended || this.changing.has(group),
    );
    const unwatch = watchdog.watch(group, reader);
    this.readers.set(reader, group);
    return {
      poll: (limit, signal) => reader.poll(limit, signal),
      commit: (positions) => reader.commit(positions),
      close: async () => {
        unwatch();
        this.readers.delete(reader);
        await reader.close();
      },
    };
  }

  /** Leaves every group until `resume`. Resolves once all have left. */
  async suspend(): Promise<void> {
    this.suspended = true;
    await this.each((reader) => reader.suspend());
  }

  /** Joins the groups again. */
  resume(): void {
    this.suspended = false;
    for (const [reader, group] of this.readers) if (!this.changing.has(group)) reader.resume();
  }

  /**
   * Makes a change while this process is out of a group: it leaves, with work in progress finished, and joins again.
   */
  async aside(group: GroupName, change: () => void): Promise<void> {
    this.changing.add(group);
    const own = [...this.readers].filter(([, of]) => of === group).map(([reader]) => reader);
    try {
      await Promise.all(own.map((reader) => reader.suspend()));
      change();
    } finally {
      this.changing.delete(group);
      if (!this.suspended) this.resume();
    }
  }

  close(): Promise<void> {
    return this.each((reader) => reader.close());
  }

  private async each(work: (reader: KafkaReader) => Promise<void>): Promise<void> {
    await Promise.all([...this.readers.keys()].map(work));
  }
}
