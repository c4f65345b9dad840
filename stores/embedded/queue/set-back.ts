import { HOLD } from '../../../domain/campaigns/campaign-run';
import { firstIdOf, timeOfId } from '../../../domain/derived-id';
import { backToNow, STEP_WORK } from '../../../domain/journeys/enrollment';
import { resendSetBack } from '../../../domain/messages/retry-schedule';
import { RATE_WINDOW } from '../../../domain/queue/send-rate';
import { nextWibMidnight } from '../../../domain/wib';
import { MINUTE, SECOND } from '../../../lib/clock';
import { AT_ONCE } from '../../ports/wakeup-store';
import type { LongestWaits, SetBackStore } from '../../ports/set-back';
import type { Commits, MessagePlace, Transaction } from '../database/commits';
import type { Database } from '../database/database';
import { lookAtOnce } from '../database/wake-at-once';
import { updateState } from '../messages/message-codec';

/** Embedded driver of SetBackStore. */
export function setBackStore(db: Database, commits: Commits): SetBackStore {
  const steps = [settleTurns, settleDeadlines, advanceWakeups, settleTasks, settleSteps, settleLeases];
  return {
    settle: async (waits) => {
      let settled = 0;
      // The leases last: while one is ahead, it is known that the clock was.
      for (const step of steps) settled += await commits.write((tx) => step(tx, waits));
      return settled;
    },
    stampedAfter: async (after, limit) => {
      const from = firstIdOf(after + 1);
      const { count, last } = db.get<{ count: number; last: string | null }>(
        'SELECT count(*) AS count, max(id) AS last FROM (SELECT id FROM messages WHERE id >= ? ORDER BY id DESC LIMIT ?)',
        from,
        limit,
      )!;
      return { count, last: last === null ? null : timeOfId(last) };
    },
  };
}

const PLACE = 'seq, workspace_id, created_at, status';
type Row = MessagePlace & { status: 'queued' | 'sending' | 'sent_to_mta'; due_at: number };

/** Also of messages on hold, whose turns lie HOLD ahead. */
function settleTurns(tx: Transaction, { now, retry, wasAhead }: LongestWaits): number {
  const rows = tx.db.all<Row>(
    `SELECT ${PLACE}, due_at FROM messages INDEXED BY messages_queued
     WHERE status = 'queued' AND (due_at > ?1 AND due_at < ?2 OR due_at > ?1 + ?2)
       AND CASE WHEN held_for IS NOT NULL THEN ?3 OR created_at > ?1
                WHEN attempt = 0 THEN send_at IS NULL ELSE due_at % ?2 > ?1 + ?4 END`,
    ...[now, HOLD, wasAhead ? 1 : 0, retry],
  );
  for (const row of rows) updateState(tx, row, { dueAt: row.due_at > HOLD ? now + HOLD : now }, now);
  for (const workspaceId of new Set(rows.map(({ workspace_id: id }) => id))) lookAtOnce(tx.db, workspaceId);
  return rows.length;
}

/** Waits for a report are a whole number of seconds. */
function settleDeadlines(tx: Transaction, { now, handOff, evidence }: LongestWaits): number {
  const late = (status: Row['status'], where: string, after: number): Row[] =>
    tx.db.all<Row>(
      `SELECT ${PLACE}, due_at FROM messages INDEXED BY messages_deadline
       WHERE status = '${status}' AND status IN ('sending', 'sent_to_mta') AND ${where} AND due_at > ?`,
      after,
    );
  const claims = late('sending', 'unknown = 0', now + 2 * handOff);
  const waits = [...late('sending', 'unknown = 1', now + evidence), ...late('sent_to_mta', 'true', now + evidence)];
  for (const row of claims) updateState(tx, row, { dueAt: now + handOff }, now);
  for (const row of waits) {
    const ahead = row.due_at - now - evidence;
    updateState(tx, row, { dueAt: row.due_at - Math.ceil(ahead / SECOND) * SECOND }, now);
  }
  return claims.length + waits.length + settleResends(tx, now, evidence);
}

/** What is sent again when in doubt waits for less than for a report. */
function settleResends(tx: Transaction, now: number, evidence: number): number {
  const rows = tx.db.all<Row & { attempt: number; fenced_at: number; first_claimed_at: number | null }>(
    `SELECT ${PLACE}, due_at, attempt, fenced_at, first_claimed_at FROM messages INDEXED BY messages_deadline
     WHERE status = 'sending' AND status IN ('sending', 'sent_to_mta') AND unknown = 1 AND fenced_at > ?`,
    now,
  );
  let settled = 0;
  for (const row of rows) {
    const { attempt, due_at: dueAt, fenced_at: fencedAt, first_claimed_at: firstClaimedAt } = row;
    const next = resendSetBack({ attempt, dueAt, fencedAt, firstClaimedAt }, now, evidence);
    if (next === null) continue;
    updateState(tx, row, { dueAt: next }, now);
    settled += 1;
  }
  return settled;
}

/** A workspace waits for its rate and its day no longer than these last, and for a turn not beyond its first mail's. */
const advanceWakeups = ({ db }: Transaction, { now }: LongestWaits): number =>
  db.run(
    `UPDATE looks SET at = ?1 WHERE kind = 'rate' AND at > ?2 OR kind = 'day' AND at > ?3
       OR kind = 'turn' AND at > ?4 AND EXISTS (SELECT 1 FROM messages m WHERE m.status = 'queued'
         AND m.workspace_id = looks.workspace_id AND m.due_at < looks.at)`,
    ...[AT_ONCE, now + RATE_WINDOW, nextWibMidnight(now), now + MINUTE],
  );

/** What is being worked on keeps its claim for a while. */
function settleTasks({ db }: Transaction, { now, lease, tasks }: LongestWaits): number {
  let settled = 0;
  for (const [kind, wait] of Object.entries(tasks)) {
    const how = 'due_at = min(due_at, ?1), ready_at = CASE WHEN token IS NULL THEN ?1 ELSE ?2 END';
    const which = 'kind = ?3 AND ready_at > ?4';
    settled += db.run(`UPDATE due_tasks SET ${how} WHERE ${which}`, now, now + lease, kind, now + wait);
  }
  return settled;
}

function settleSteps({ db }: Transaction, { now, wasAhead }: LongestWaits): number {
  if (!wasAhead) return 0;
  const rows = db.all<{ id: string; since: number; due_at: number }>(
    'SELECT id, since, due_at FROM enrollments INDEXED BY enrollments_due WHERE due_at > ?1 AND since > ?1',
    now,
  );
  for (const { id, since, due_at: dueAt } of rows) {
    const next = backToNow({ since, dueAt }, now);
    db.run('UPDATE enrollments SET since = ?, due_at = ? WHERE id = ?', next.since, next.dueAt, id);
    db.run(
      'UPDATE due_tasks SET due_at = ?1, ready_at = ?1 WHERE kind = ?2 AND id = ?3 AND ready_at IS NOT NULL',
      ...[next.dueAt, STEP_WORK, id],
    );
  }
  return rows.length;
}

const settleLeases = ({ db }: Transaction, { now, lease }: LongestWaits): number =>
  db.run('UPDATE leases SET expires_at = ?1 WHERE expires_at > ?1', now + lease);
