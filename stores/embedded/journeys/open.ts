import type { Enrollment } from '../../../domain/journeys/enrollment';
import type { JourneyStatus, JourneyVersion } from '../../../domain/journeys/journey';
import type { OpenedEnrollment } from '../../ports/journey-runs';
import { asksForSignals } from '../../shared/journey-tasks';
import { CONTACT } from '../contacts/contact-fields';
import { suppressedSql } from '../contacts/suppression-store';
import { textOut, type Database } from '../database/database';
import { readVersion } from './journey-versions';
import { ENROLLMENT } from './enrollment-fields';

const SELECT = `SELECT j.name, j.status, c.id, iif(c.id IS NULL, 0, ${suppressedSql('e.workspace_id', 'c.email_hash')}),
    ${ENROLLMENT.select('e')}, ${CONTACT.select('c')}
  FROM enrollments e JOIN journeys j ON j.id = e.journey_id LEFT JOIN contacts c ON c.id = e.contact_id
  WHERE e.id = ? AND e.status = 'active'`;
const ENROLLMENT_FROM = 4;
const CONTACT_FROM = ENROLLMENT_FROM + ENROLLMENT.names.length;

/** Reads enrollments for stepping; see JourneyRuns.open. */
export function openEnrollments(db: Database, ids: readonly string[]): OpenedEnrollment[] {
  const versions = new Map<string, { found: JourneyVersion; asks: boolean } | null>();
  const versionOf = ({ journeyId, version }: Enrollment) => {
    const key = `${journeyId} ${version}`;
    let known = versions.get(key);
    if (known === undefined) {
      const found = readVersion(db, journeyId, version);
      known = found && { found, asks: asksForSignals(found) };
      versions.set(key, known);
    }
    return known;
  };
  return ids.flatMap((id) => {
    const values = db.values(SELECT, id);
    if (!values) return [];
    const [name, status, contactId, suppressed] = values as [string | Uint8Array, JourneyStatus, number | null, 0 | 1];
    const enrollment = ENROLLMENT.decodeFrom(values, ENROLLMENT_FROM);
    const version = versionOf(enrollment);
    if (!version) return [];
    return [
      {
        enrollment,
        journey: { name: textOut(name), status },
        version: version.found,
        contact: contactId === null ? null : CONTACT.decodeFrom(values, CONTACT_FROM),
        suppressed: suppressed === 1,
        ...(version.asks ? readSignals(db, id) : { opened: [], clicked: [] }),
      },
    ];
  });
}

function readSignals(db: Database, enrollmentId: string): { opened: number[]; clicked: number[] } {
  const rows = db.all<{ step: number; kind: string }>(
    `SELECT DISTINCT s.step, g.kind FROM enrollment_steps s JOIN signals g ON g.message_id = s.message_id
     WHERE s.enrollment_id = ? AND s.message_id IS NOT NULL AND g.kind IN ('open', 'click') AND g.machine IS NULL
     ORDER BY s.step`,
    enrollmentId,
  );
  const of = (kind: string): number[] => rows.filter((row) => row.kind === kind).map(({ step }) => step);
  return { opened: of('open'), clicked: of('click') };
}
