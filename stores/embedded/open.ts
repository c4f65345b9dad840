import type { Clock } from '../../lib/clock';
import type { GroupTable } from '../../streams/topics';
import { TopicSignals } from './log/topic-signals';
import type { Engine } from '../ports/engine';
import { Anonymiser } from './contacts/anonymise';
import { Database } from './database/database';
import { foreignWrites } from './database/data-version';
import { GroupCommit } from './group-commit';
import { embeddedParts, withRecords } from './stores';

export interface EmbeddedOptions {
  /** The SQLite file; created if missing. */
  file: string;
  clock: Clock;
  /**
   * True if another process may have the file open: the checkpoint at the end is left to that process, or to SQLite if
   * this was the last connection. An older file is not migrated then.
   */
  beside?: boolean;
  /** The consumer groups of the log. Default: GROUPS. */
  groups?: GroupTable;
}

/**
 * Opens the embedded engine in this thread, with stores and log in one SQLite file, so that one transaction covers
 * both. Throws a SchemaError and UnavailableError (lib/errors).
 */
export async function openEmbedded({ file, clock, beside = false, groups }: EmbeddedOptions): Promise<Engine> {
  const db = new Database(file, beside);
  const signals = new TopicSignals(foreignWrites(db));
  const now = (): number => clock.now();
  const commits = new GroupCommit(db, now, (appended) => signals.appended(appended));
  const { stores, log } = embeddedParts(db, commits, signals, now, { ...(groups && { groups }) });
  const anonymiser = new Anonymiser(db, commits);
  if (!beside) anonymiser.start();
  return {
    stores: withRecords(stores),
    log,
    close: async () => {
      commits.close();
      await anonymiser.stop();
      await log.close();
      db.close({ checkpoint: !beside });
    },
  };
}
