import type { JourneyGoal, JourneyStep, JourneyVersion } from '../../../domain/journeys/journey';
import { mailsOf } from '../../shared/journey-tasks';
import { textIn, type Database } from '../database/database';

interface Row {
  steps: string;
  goal: string | null;
  created_at: number;
}

export type FoundVersion = JourneyVersion;

/** Reads one version of a journey, inside or outside a transaction. */
export function readVersion(db: Database, journeyId: number, version: number): FoundVersion | null {
  const row = db.get<Row>(
    'SELECT steps, goal, created_at FROM journey_versions WHERE journey_id = ? AND version = ?',
    journeyId,
    version,
  );
  return row
    ? {
        journeyId,
        version,
        steps: JSON.parse(row.steps) as JourneyStep[],
        goal: row.goal === null ? null : (JSON.parse(row.goal) as JourneyGoal),
        createdAt: row.created_at,
      }
    : null;
}

/** Writes a version with the content of its mails; must run inside a transaction. */
export function insertVersion(db: Database, version: JourneyVersion): void {
  const { journeyId, version: number, steps, goal, createdAt } = version;
  db.run(
    'INSERT INTO journey_versions (journey_id, version, steps, goal, created_at) VALUES (?, ?, ?, ?, ?)',
    journeyId,
    number,
    JSON.stringify(steps),
    goal && JSON.stringify(goal),
    createdAt,
  );
  for (const { step, html, text } of mailsOf(version)) {
    db.run(
      'INSERT INTO journey_mails (journey_id, version, step, html, text) VALUES (?, ?, ?, ?, ?)',
      journeyId,
      number,
      step,
      textIn(html),
      text && textIn(text),
    );
  }
}

/** Deletes the versions of a journey with the content of their mails; must run inside a transaction. */
export function deleteVersions(db: Database, journeyId: number): void {
  for (const table of ['journey_mails', 'journey_versions']) {
    db.run(`DELETE FROM ${table} WHERE journey_id = ?`, journeyId);
  }
}
