import type { Clock } from '../../lib/clock';
import type { GroupTable } from '../../streams/topics';
import { TopicSignals } from './log/topic-signals';
import type { Engine } from '../ports/engine';
import { Anonymiser } from './contacts/anonymise';
import { Database } from './database/database';
import { GroupCommit } from './database/group-commit';
import { embeddedParts } from './parts';

export interface EmbeddedOptions {
  /** The SQLite file; created when missing. */
  file: string;
  clock: Clock;
  /** Beside another process, or perhaps: the log is left to that one, or to SQLite where this was the last. */
  beside?: boolean;
  /** The consumer groups of the log; default: GROUPS. */
  groups?: GroupTable;
}

/**
 * Opens the embedded engine in this thread: stores and log in one SQLite file, so that one transaction spans both.
 * Throws NewerSchemaError and UnavailableError (stores/ports/errors).
 */
export async function openEmbedded({ file, clock, beside = false, groups }: EmbeddedOptions): Promise<Engine> {
  const db = new Database(file);
  const signals = new TopicSignals();
  const now = (): number => clock.now();
  const commits = new GroupCommit(db, now, (topics) => signals.wake(topics));
  const { stores, log } = embeddedParts(db, commits, signals, now, { ...(groups && { groups }) });
  const anonymiser = new Anonymiser(db, commits);
  if (!beside) anonymiser.start();
  return {
    stores,
    log,
    close: async () => {
      commits.close();
      await anonymiser.stop();
      await log.close();
      db.close({ checkpoint: !beside });
    },
  };
}
