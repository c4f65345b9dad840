import { HOLD } from '../../../domain/campaigns/campaign-run';
import { LANES, type Lane } from '../../../domain/messages/message';
import type { SendQueue, WaitingTurn } from '../../ports/send-queue';
import { claim, claimsOn } from './claim';
import { holdMessages, readDue, releaseHeld } from './held-messages';
import { accountKey } from '../ledger/coin-ledger';
import type { Database } from '../database/database';
import type { Commits } from '../database/commits';
import type { ReadCache } from '../database/read-cache';

/** Embedded driver of SendQueue. */
export function sendQueue(db: Database, commits: Commits, accounts: ReadCache): SendQueue {
  return {
    claim: (request) =>
      commits.write((tx) => {
        accounts.forget(accountKey(request.workspaceId));
        return claim(tx, request);
      }),
    due: async (workspaceId, lane, now, limit) => readDue(db, workspaceId, lane, now, limit),
    hold: (workspaceId, holds, now) => commits.write((tx) => holdMessages(tx, workspaceId, holds, now)),
    release: (heldFor, turns) => commits.write((tx) => releaseHeld(tx, heldFor, turns)),
    workspacesWaiting: async (after, limit) => workspacesWaiting(db, after, limit),
    nextDue: async (workspaceId) => nextDue(db, workspaceId),
    waiting: async (workspaceId, dueBy, limit) => LANES.flatMap((lane) => waiting(db, workspaceId, lane, dueBy, limit)),
    recentClaims: async (workspaceId, since, limit, until = Number.MAX_SAFE_INTEGER) =>
      db
        .all<{ claimed_at: number }>(
          `SELECT claimed_at FROM attempts WHERE workspace_id = ? AND claimed_at BETWEEN ? AND ?
           ORDER BY claimed_at DESC LIMIT ?`,
          workspaceId,
          since,
          until,
          limit,
        )
        .map((row) => row.claimed_at),
    claimsOn: async (day, workspaceId) => claimsOn(db, day, workspaceId),
    backlogByClass: async (limit) => {
      const { n, transactional } = db.get<{ n: number; transactional: number }>(
        `SELECT count(*) AS n, count(*) FILTER (WHERE lane = 'transactional') AS transactional
         FROM (SELECT lane FROM messages WHERE status = 'sending' AND fenced_at IS NULL LIMIT ?)`,
        limit,
      )!;
      return { transactional, bulk: n - transactional };
    },
  };
}

/**
 * Steps from workspace to workspace through the index of the queue, so the cost does not grow with the number of queued
 * messages.
 */
export function workspacesWaiting(db: Database, after: number, limit: number): number[] {
  const found: number[] = [];
  for (let last = after; found.length < limit;) {
    const row = db.get<{ id: number | null }>(
      `SELECT min(workspace_id) AS id FROM messages WHERE status = 'queued' AND workspace_id > ?`,
      last,
    );
    if (row?.id == null) break;
    found.push(row.id);
    last = row.id;
  }
  return found;
}

/** The earliest due time of each lane of a workspace; see SendQueue. */
export function nextDue(db: Database, workspaceId: number): Partial<Record<Lane, number>> {
  const due: Partial<Record<Lane, number>> = {};
  for (const lane of LANES) {
    const row = db.get<{ due: number | null }>(
      `SELECT min(due_at) AS due FROM messages WHERE status = 'queued' AND workspace_id = ? AND lane = ? AND due_at < ?`,
      workspaceId,
      lane,
      HOLD,
    );
    if (row?.due != null) due[lane] = row.due;
  }
  return due;
}

function waiting(db: Database, workspaceId: number, lane: Lane, dueBy: number, limit: number): WaitingTurn[] {
  return db
    .all<{ id: string; due_at: number }>(
      `SELECT id, due_at FROM messages WHERE status = 'queued' AND workspace_id = ? AND lane = ? AND due_at <= ?
       ORDER BY due_at LIMIT ?`,
      workspaceId,
      lane,
      dueBy,
      limit,
    )
    .map((row) => ({ messageId: row.id, lane, dueAt: row.due_at }));
}
