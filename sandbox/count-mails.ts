import { DatabaseSync } from '@photostructure/sqlite';
import type { AddressSearch } from '../domain/address-search';
import { UnavailableError } from '../lib/errors';

/** Mails examined in one batch: each may be large. */
const PAGE = 20;
/** Time to wait for a service that is just opening or closing the file, ms. */
const BUSY_TIMEOUT = 5_000;

/**
 * Counts the sandbox mails that contain an address: those sent to it, and those that mention it. The sandbox plays
 * other people's mail servers, whose mail cannot be recalled. Reads only. Throws UnavailableError when it cannot.
 */
export async function countMails(path: string, search: AddressSearch): Promise<number> {
  try {
    const db = new DatabaseSync(path, { readOnly: true, timeout: BUSY_TIMEOUT });
    try {
      return await count(db, search);
    } finally {
      db.close();
    }
  } catch (error) {
    throw new UnavailableError(`The sandbox file ${path} cannot be read: ${String(error)}`, { cause: error });
  }
}

type Row = Record<string, unknown> & { id: number };

async function count(db: InstanceType<typeof DatabaseSync>, search: AddressSearch): Promise<number> {
  const page = db.prepare(
    `SELECT m.id, m.mail_from, m.recipients, m.header_from, m.subject, s.headers, s.body
     FROM mails m LEFT JOIN sources s ON s.mail = m.id WHERE m.id > ? ORDER BY m.id LIMIT ${PAGE}`,
  );
  let found = 0;
  for (let rows = page.all(0) as Row[]; rows.length > 0; rows = page.all(rows.at(-1)!.id) as Row[]) {
    found += rows.filter((row) => Object.entries(row).some(([field, value]) => search.inField(field, value))).length;
    await new Promise(setImmediate);
  }
  return found;
}
