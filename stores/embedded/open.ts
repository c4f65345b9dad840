import type { Clock } from '../../domain/clock';
import { embeddedEventLog } from '../../streams/drivers/embedded/event-log';
import { TopicSignals } from '../../streams/drivers/embedded/topic-signals';
import type { Engine } from '../ports/engine';
import { coinLedger } from './coin-ledger';
import { contactStore } from './contact-store';
import { credentialStore } from './credential-store';
import { Database } from './database';
import { domainStore } from './domain-store';
import { GroupCommit } from './group-commit';
import { leaseStore } from './lease-store';
import { messageStore } from './message-store';
import { RareCache } from './rare-cache';
import { operatorLog } from './operator-log';
import { sendQueue } from './send-queue';
import { settingsStore } from './settings-store';
import { signalStore } from './signal-store';
import { suppressionStore } from './suppression-store';
import { WalSync } from './wal-sync';
import { workspaceStore } from './workspace-store';

export interface EmbeddedOptions {
  /** The SQLite file; created when missing. */
  file: string;
  clock: Clock;
  /** Beside another process, or perhaps: the log is left to that one, or to SQLite where this was the last. */
  beside?: boolean;
}

/**
 * Opens the embedded engine: stores and log in one SQLite file, so that one transaction spans both.
 * Throws NewerSchemaError and UnavailableError (stores/ports/errors).
 */
export async function openEmbedded({ file, clock, beside = false }: EmbeddedOptions): Promise<Engine> {
  const db = new Database(file);
  const signals = new TopicSignals();
  const now = (): number => clock.now();
  const commits = new GroupCommit(db, now, (topics) => signals.wake(topics), new WalSync(() => db.sync()));
  const rare = new RareCache(db, commits);
  const accounts = new RareCache(db, commits);
  const log = embeddedEventLog(db, commits, signals, now);
  return {
    stores: {
      workspaces: workspaceStore(db, rare),
      credentials: credentialStore(db, rare),
      domains: domainStore(db, rare),
      contacts: contactStore(db, commits),
      suppressions: suppressionStore(db, commits),
      messages: messageStore(db, commits),
      queue: sendQueue(db, commits, accounts),
      coins: coinLedger(db, commits, accounts),
      leases: leaseStore(db, commits),
      signals: signalStore(db, commits),
      settings: settingsStore(db, rare),
      operatorLog: operatorLog(db, commits),
    },
    log,
    close: async () => {
      await commits.close();
      await log.close();
      await db.close({ checkpoint: !beside });
    },
  };
}
