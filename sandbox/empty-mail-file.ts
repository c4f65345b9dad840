import { MailFile } from './mail-file';

/** What was in the sandbox when it was emptied. */
export interface Emptied {
  mails: number;
  /** Reports that were not sent yet, and now never will be. */
  pendingReports: number;
  /** Requests that its hooks received. */
  hookRequests: number;
}

/**
 * Mails looked at for one transaction, and how many bytes of them it deletes, so that the sandbox's own writes wait
 * only for a moment.
 */
const BATCH = 500;
const BATCH_BYTES = 8_000_000;
const HOOK_BATCH = 50;

/** What emptying the file would delete. Throws the errors of MailFile. */
export function countContents(path: string): Emptied {
  const file = new MailFile(path);
  try {
    return contents(file);
  } finally {
    file.close();
  }
}

/**
 * Deletes every mail, pending report, count of tries and request of a hook, also beside a sandbox that is serving. From
 * then on the file is this installation's, and says that it begins at `now`, or at its newest mail if that is later;
 * `since` says when, ms. After a crash in between, the rest of the mails is still there, and emptying it again ends it.
 * Throws the errors of MailFile.
 */
export async function emptyMailFile(
  path: string,
  installationId: string,
  now: number,
): Promise<Emptied & { since: number }> {
  const file = new MailFile(path);
  try {
    const emptied = contents(file);
    const { installationId: owner } = file.ownership();
    const ours = owner === null || owner === installationId;
    const last = await file.write(() => begin(file, ours ? Math.max(now, newestAt(file)) : now));
    while (await file.write(() => deleteSome(file, last)));
    await emptyHooks(file);
    // Last, so that half of another installation's mails are never taken for ours.
    await file.write(() => file.run('UPDATE installation SET id = ? WHERE one = 1', installationId));
    file.compact();
    return { ...emptied, since: file.ownership().since ?? now };
  } finally {
    file.close();
  }
}

function contents(file: MailFile): Emptied {
  const count = (sql: string): number => file.get<{ n: number }>(sql)!.n;
  return {
    mails: count('SELECT count(*) AS n FROM mails'),
    pendingReports: count("SELECT count(*) AS n FROM reports WHERE state = 'owed'"),
    hookRequests: count('SELECT count(*) AS n FROM hook_requests'),
  };
}

/** When the newest mail was received, ms: the sandbox's clock may be ahead of the caller's. */
const newestAt = (file: MailFile): number =>
  file.get<{ at: number }>('SELECT received_at AS at FROM mails ORDER BY id DESC LIMIT 1')?.at ?? 0;

/** Notes where the file begins; returns the last mail to delete. */
function begin(file: MailFile, since: number): number {
  file.run('DELETE FROM tries');
  file.run('DELETE FROM refusals');
  file.run(
    `UPDATE installation SET since = ?, deleted = 0, last_mail = max(last_mail, coalesce((SELECT max(id) FROM mails), 0)),
       last_report = max(last_report, coalesce((SELECT max(id) FROM reports), 0)) WHERE one = 1`,
    since,
  );
  return file.get<{ last_mail: number }>('SELECT last_mail FROM installation WHERE one = 1')!.last_mail;
}

/** Those that come meanwhile stay. */
async function emptyHooks(file: MailFile): Promise<void> {
  const last = file.get<{ id: number | null }>('SELECT max(id) AS id FROM hook_requests')?.id ?? 0;
  const first = file.get<{ id: number | null }>('SELECT min(id) AS id FROM hook_requests')?.id ?? last;
  for (let end = first; end <= last; end += HOOK_BATCH) {
    await file.write(() => file.run('DELETE FROM hook_requests WHERE id <= ?', Math.min(end + HOOK_BATCH, last)));
  }
}

/** False when there is nothing left to delete. */
function deleteSome(file: MailFile, last: number): boolean {
  const next = file.all<{ id: number; size: number }>(
    'SELECT id, size FROM mails WHERE id <= ? ORDER BY id LIMIT ?',
    last,
    BATCH,
  );
  let bytes = 0;
  const end = next.find(({ size }) => (bytes += size) >= BATCH_BYTES)?.id ?? next.at(-1)?.id;
  if (end === undefined) return false;
  file.run('DELETE FROM sources WHERE mail <= ?', end);
  file.run('DELETE FROM reports WHERE mail <= ?', end);
  file.run('DELETE FROM mails WHERE id <= ?', end);
  return true;
}
