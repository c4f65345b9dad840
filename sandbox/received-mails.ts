import { DatabaseSync } from '@photostructure/sqlite';
import { fileFault } from '../lib/file-fault';
import { schemaOfFile } from '../lib/file-schema';
import type { Ownership } from './mail-file';
import { NAMES, sandboxFile, SCHEMA } from './mail-file-schema';

/** What the audit asks about the sandbox's mails: which messages were received, and how often. */
export interface ReceivedMails {
  /** Id of the newest mail; 0 when there is none. */
  newest(): number;
  /**
   * By message id: how often it was received, in total and up to the mail with id `upTo`. Messages without mail are
   * left out.
   */
  count(messageIds: readonly string[], upTo: number): Map<string, { before: number; total: number }>;
  /** Whose mails they are; read again at each call, since the sandbox may be emptied meanwhile. */
  ownership(): Ownership;
  /** The X-Message-ids of all mails, each once, ascending, in pages. */
  messageIds(): Iterable<string[]>;
  close(): void;
}

const PAGE = 1_000;
/** Time to wait for a service that is just opening or closing the file, ms. */
const BUSY_TIMEOUT = 5_000;

/**
 * Opens the sandbox's file read-only, with or without a running service. Throws a SchemaError when no release or a
 * newer one wrote it, UnavailableError when it cannot be read.
 */
export function openReceivedMails(path: string): ReceivedMails {
  const guard = guardOf(path);
  return guard(() => receivedMails(new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT }), guard));
}

type Guard = <T>(work: () => T) => T;

const guardOf =
  (path: string): Guard =>
  (work) => {
    try {
      return work();
    } catch (error) {
      throw fileFault(error, sandboxFile(path)) ?? error;
    }
  };

function receivedMails(db: InstanceType<typeof DatabaseSync>, guard: Guard): ReceivedMails {
  db.exec('PRAGMA cache_size = -8000');
  const readOwnership = ownershipReader(db);
  const newest = db.prepare('SELECT max(id) AS id FROM mails');
  const count = db.prepare(
    `SELECT message_id AS id, count(*) AS total, sum(id <= ?1) AS before FROM mails
     WHERE message_id IN (SELECT value FROM json_each(?2)) GROUP BY message_id`,
  );
  const page = db.prepare(
    `SELECT DISTINCT message_id AS id FROM mails WHERE message_id > ? ORDER BY message_id LIMIT ${PAGE}`,
  );
  return {
    newest: () => guard(() => (newest.get() as { id: number | null }).id ?? 0),
    count: (messageIds, upTo) => {
      const rows = guard(() => count.all(upTo, JSON.stringify(messageIds)) as unknown) as {
        id: string;
        total: number;
        before: number;
      }[];
      return new Map(rows.map(({ id, total, before }) => [id, { total, before }]));
    },
    *messageIds() {
      for (let last: string | undefined = ''; last !== undefined;) {
        const after = last;
        const ids: string[] = guard(() => page.all(after) as { id: string }[]).map(({ id }) => id);
        if (ids.length > 0) yield ids;
        last = ids.at(-1);
      }
    },
    ownership: () => guard(readOwnership),
    close: () => db.close(),
  };
}

function ownershipReader(db: InstanceType<typeof DatabaseSync>): () => Ownership {
  schemaOfFile((sql) => db.prepare(sql).get() as never, NAMES, SCHEMA.version);
  const row = db.prepare('SELECT id, since FROM installation WHERE one = 1');
  return () => {
    const { id, since } = row.get() as { id: string | null; since: number | null };
    return { installationId: id, since };
  };
}
