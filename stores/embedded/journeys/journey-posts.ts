import type { JourneyPost } from '../../../domain/journeys/journey-post';
import { parsePostId } from '../../../domain/journeys/journey-post';
import { numberSteps } from '../../../domain/journeys/journey-flow';
import type { TaskClaim } from '../../ports/due-tasks';
import type { JourneyPosts, ListedPost, OpenedPost, PostResult } from '../../ports/journey-posts';
import type { JourneyRef } from '../../ports/journey-runs';
import { ColumnList, columns, jsonColumn } from '../database/columns';
import type { Commits, Transaction } from '../database/commits';
import { textOut, type Database } from '../database/database';
import { raiseSetting } from '../database/settings';
import { readVersion } from './journey-versions';
import { finishTask } from '../queue/finish-task';

/** The columns of a post. */
export const POST = new ColumnList<JourneyPost>('journey_posts', {
  ...columns('enrollmentId', 'step', 'workspaceId', 'journeyId', 'contactId', 'createdAt', 'state'),
  attempts: jsonColumn('attempts'),
});

/** Embedded driver of JourneyPosts. */
export function journeyPosts(db: Database, commits: Commits): JourneyPosts {
  return {
    open: async (id) => openPost(db, id),
    finish: (claim, result) => commits.write((tx) => finish(tx, claim, result)),
    list: async (journey, limit) => list(db, journey, limit),
    trim: (before, limit) => commits.write((tx) => trim(tx, before, limit)),
  };
}

function readPost(db: Database, id: string): JourneyPost | null {
  const key = parsePostId(id);
  return key && POST.get(db, 'WHERE enrollment_id = ? AND step = ?', key.enrollmentId, key.step);
}

interface OpenRow {
  id: number;
  name: string | Uint8Array;
  secret_sealed: string;
  version: number;
  goal_at: number | null;
  email: string | null;
  contact_name: string | Uint8Array | null;
}

function openPost(db: Database, id: string): OpenedPost | null {
  const post = readPost(db, id);
  if (!post) return null;
  const row = db.get<OpenRow>(
    `SELECT j.id, j.name, j.secret_sealed, e.version, e.goal_at, c.email, c.name AS contact_name
     FROM enrollments e JOIN journeys j ON j.id = e.journey_id LEFT JOIN contacts c ON c.id = e.contact_id
     WHERE e.id = ?`,
    post.enrollmentId,
  );
  const version = row && readVersion(db, row.id, row.version);
  if (!row || !version) return null;
  const step = numberSteps(version.steps)[post.step - 1]?.step;
  if (step?.kind !== 'webhook') return null;
  const name = row.contact_name === null ? null : textOut(row.contact_name);
  return {
    post,
    journey: { id: row.id, name: textOut(row.name), secretSealed: row.secret_sealed },
    url: step.url,
    contact: row.email === null ? null : { email: row.email, name },
    goalReached: row.goal_at !== null,
  };
}

function finish({ db }: Transaction, claim: TaskClaim, { state, attempts, nextAt }: PostResult): boolean {
  if (!finishTask(db, claim, nextAt === null ? undefined : { dueAt: nextAt })) return false;
  const post = readPost(db, claim.id);
  if (!post) return true;
  const keep = db.get('SELECT 1 FROM contacts WHERE id = ?', post.contactId) !== undefined;
  const added = keep ? attempts : attempts.map((attempt) => ({ ...attempt, answer: null }));
  db.run(
    'UPDATE journey_posts SET state = ?, attempts = ? WHERE enrollment_id = ? AND step = ?',
    state,
    JSON.stringify([...post.attempts, ...added]),
    post.enrollmentId,
    post.step,
  );
  return true;
}

const list = (db: Database, { workspaceId, id }: JourneyRef, limit: number): ListedPost[] =>
  db
    .all<{ email: string | null }>(
      `SELECT p.*, c.email FROM journey_posts p LEFT JOIN contacts c ON c.id = p.contact_id
       WHERE p.journey_id = ? AND p.workspace_id = ?
       ORDER BY p.created_at DESC, p.enrollment_id DESC, p.step DESC LIMIT ?`,
      id,
      workspaceId,
      limit,
    )
    .map((row) => ({ ...POST.fromRow(row), email: row.email }));

/** The setting that tells the audit which posts may be gone: those of steps before this time, ms. */
export const POSTS_TRIMMED_BEFORE = 'journey_posts_trimmed_before';

function trim({ db }: Transaction, before: number, limit: number): number {
  const gone = db.run(
    `DELETE FROM journey_posts WHERE (enrollment_id, step) IN (
       SELECT enrollment_id, step FROM journey_posts WHERE state <> 'waiting' AND created_at < ?
       ORDER BY created_at LIMIT ?)`,
    before,
    limit,
  );
  if (gone > 0) raiseSetting(db, POSTS_TRIMMED_BEFORE, before);
  return gone;
}

/** Removes the answers of the posts of a deleted contact; must run inside a transaction. */
export function erasePostAnswers(db: Database, contactId: number): void {
  for (const { enrollmentId, step, attempts } of POST.all(db, 'WHERE contact_id = ?', contactId)) {
    if (attempts.every(({ answer }) => answer === null)) continue;
    const erased = attempts.map((attempt) => ({ ...attempt, answer: null }));
    const sql = 'UPDATE journey_posts SET attempts = ? WHERE enrollment_id = ? AND step = ?';
    db.run(sql, JSON.stringify(erased), enrollmentId, step);
  }
}
