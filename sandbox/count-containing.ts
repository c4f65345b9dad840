import { DatabaseSync } from '@photostructure/sqlite';
import type { AddressSearch } from '../domain/addresses/address-search';
import { fileFault } from '../lib/file-fault';
import { schemaOfFile } from '../lib/file-schema';
import { NAMES, sandboxFile, SCHEMA } from './mail-file-schema';

/** How many mails, taken or refused, and requests of hooks there are. */
export interface SandboxCounts {
  mails: number;
  hookRequests: number;
}

/** Rows examined in one batch: each may be large. */
const PAGE = 20;
/** Time to wait for a service that is just opening or closing the file, ms. */
const BUSY_TIMEOUT = 5_000;

const MAILS = `SELECT m.id, m.mail_from, m.recipients, m.header_from, m.subject, s.headers, s.body
  FROM mails m LEFT JOIN sources s ON s.mail = m.id WHERE m.id > ? ORDER BY m.id LIMIT ${PAGE}`;
const REFUSALS = `SELECT id, recipient, mail_from, reason FROM refusals WHERE id > ? ORDER BY id LIMIT ${PAGE}`;
const HOOK_REQUESTS = `SELECT id, name, webhook_id, message_id, headers, body
  FROM hook_requests WHERE id > ? ORDER BY id LIMIT ${PAGE}`;

/**
 * Counts what in the sandbox contains an address: the mails sent to it and those that mention it, and the requests of
 * hooks. The sandbox plays other people's servers, from which nothing can be recalled. Reads only. Throws a
 * SchemaError, and UnavailableError when it cannot be read.
 */
export async function countContaining(path: string, search: AddressSearch): Promise<SandboxCounts> {
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT });
    try {
      schemaOfFile((sql) => db.prepare(sql).get() as never, NAMES, SCHEMA.version);
      return {
        mails: (await count(db, MAILS, search)) + (await count(db, REFUSALS, search)),
        hookRequests: await count(db, HOOK_REQUESTS, search),
      };
    } finally {
      db.close();
    }
  } catch (error) {
    throw fileFault(error, sandboxFile(path)) ?? error;
  }
}

type Row = Record<string, unknown> & { id: number };

async function count(db: InstanceType<typeof DatabaseSync>, sql: string, search: AddressSearch): Promise<number> {
  const page = db.prepare(sql);
  let found = 0;
  for (let rows = page.all(0) as Row[]; rows.length > 0; rows = page.all(rows.at(-1)!.id) as Row[]) {
    found += rows.filter((row) => Object.entries(row).some(([field, value]) => search.inField(field, value))).length;
    await new Promise(setImmediate);
  }
  return found;
}
