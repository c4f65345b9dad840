import type { JourneyVersion } from '../../../domain/journeys/journey';
import { mailsOf, type JourneyMail } from '../../shared/journey-tasks';
import { ColumnList, columns, jsonColumn, textColumn } from '../database/columns';
import type { Database } from '../database/database';

const VERSION = new ColumnList<JourneyVersion>('journey_versions', {
  ...columns('journeyId', 'version', 'createdAt'),
  steps: jsonColumn('steps'),
  goal: jsonColumn('goal'),
});
const MAIL = new ColumnList<JourneyMail & { journeyId: number; version: number }>('journey_mails', {
  ...columns('journeyId', 'version', 'step'),
  html: textColumn('html'),
  text: textColumn('text'),
});

/** Reads one version of a journey, inside or outside a transaction. */
export const readVersion = (db: Database, journeyId: number, version: number): JourneyVersion | null =>
  VERSION.get(db, 'WHERE journey_id = ? AND version = ?', journeyId, version);

/** Writes a version with the content of its mails; must run inside a transaction. */
export function insertVersion(db: Database, made: JourneyVersion): void {
  VERSION.insert(db, made);
  const { journeyId, version } = made;
  for (const { step, html, text } of mailsOf(made)) MAIL.insert(db, { journeyId, version, step, html, text });
}

/** Deletes the versions of a journey with the content of their mails; must run inside a transaction. */
export function deleteVersions(db: Database, journeyId: number): void {
  for (const table of ['journey_mails', 'journey_versions']) {
    db.run(`DELETE FROM ${table} WHERE journey_id = ?`, journeyId);
  }
}
