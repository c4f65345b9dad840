import type { MailFile } from './mail-file';

/** Mails that were deleted, and have no report to send any more. */
const DONE = `deleted_at IS NOT NULL AND NOT EXISTS (
  SELECT 1 FROM reports WHERE reports.mail = mails.id AND reports.state = 'owed')`;

/**
 * Deletes the mails of these ids: they are shown no more. What a mail holds goes with it, or once its last report was
 * sent: deleting a mail changes nothing for its message. For use inside a write; returns their number.
 */
export function deleteMails(file: MailFile, first: number, last: number, now: number): number {
  const { n } = file.get<{ n: number }>(
    'SELECT count(*) AS n FROM mails WHERE id BETWEEN ? AND ? AND deleted_at IS NULL',
    first,
    last,
  )!;
  file.run(
    "UPDATE mails SET deleted_at = ?, subject = '', header_from = '' WHERE id BETWEEN ? AND ? AND deleted_at IS NULL",
    now,
    first,
    last,
  );
  discard(file, first, last);
  file.run('UPDATE installation SET deleted = deleted + ? WHERE one = 1', n);
  return n;
}

/** Discards what deleted mails held, unless a report that returns it is still to be sent. For use inside a write. */
export function discard(file: MailFile, first: number, last: number): void {
  file.run(
    `DELETE FROM sources WHERE mail IN (SELECT id FROM mails WHERE id BETWEEN ? AND ? AND ${DONE})`,
    first,
    last,
  );
  file.run(
    `UPDATE mails SET recipients = '[]', mail_from = '' WHERE id BETWEEN ? AND ? AND recipients != '[]' AND ${DONE}`,
    first,
    last,
  );
}
