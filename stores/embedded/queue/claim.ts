import type { Campaign } from '../../../domain/campaigns/campaign';
import { campaignTurn, HOLD, type CampaignTurn } from '../../../domain/campaigns/campaign-run';
import { COIN_PER_MAIL, ledgerId } from '../../../domain/ledger/coins';
import type { ContactStatus } from '../../../domain/contacts/contact';
import { claimAllowance, claimResult, refusalReason } from '../../../domain/queue/claim';
import type { ClaimResult } from '../../../domain/queue/claim';
import type { Message } from '../../../domain/messages/message';
import { texts } from '../../../domain/texts';
import type { ClaimRequest } from '../../ports/send-queue';
import { dispatchRecord } from '../../shared/dispatch-record';
import { appendLedger, moveBalance, readAccount } from '../ledger/coin-ledger';
import { ColumnList, columns } from '../database/columns';
import type { Database } from '../database/database';
import { readDomain } from '../settings/domain-store';
import type { MessagePlace, Transaction } from '../database/commits';
import { holdsLease } from './lease-store';
import { updateState } from '../messages/message-codec';
import { ATTEMPT } from '../messages/message-fields';
import { suppressedSql } from '../contacts/suppression-store';
import { readWorkspace } from '../settings/workspace-store';

interface Candidate extends MessagePlace, Pick<Message, 'id' | 'status' | 'attempt' | 'category'> {
  domain_id: number;
  first_claimed_at: number | null;
  attachments_until: number | null;
  due_at: number;
  campaign_id: number | null;
  held_for: string | null;
  contact_status: ContactStatus | null;
  suppressed: 0 | 1;
}

const DAY = new ColumnList<{ day: string; workspaceId: number; claims: number }>(
  'send_days',
  columns('day', 'workspaceId', 'claims'),
);

/** Number of claims on a WIB day, of a workspace or (null) of the platform, which is stored as workspace 0. */
export function claimsOn(db: Database, day: string, workspaceId: number | null): number {
  return DAY.get(db, 'WHERE day = ? AND workspace_id = ?', day, workspaceId ?? 0)?.claims ?? 0;
}

/** Makes one claim (docs/architecture.md#pacing-and-claim); must run inside a transaction. */
export function claim(tx: Transaction, request: ClaimRequest): ClaimResult {
  const { db } = tx;
  if (!holdsLease(db, request.lease)) return { kind: 'fenced' };
  const allowance = claimAllowance(request, claimsSoFar(db, request));
  if (allowance.left <= 0) return { kind: 'claimed', claimed: [], refused: 0, stop: allowance.stop };
  const candidates = readCandidates(db, request, allowance.left);
  const check = makeCheck(db, request.workspaceId);
  const turnOf = campaignTurns(db, request);
  let coins = readAccount(db, request.workspaceId).balance;
  const claimed: string[] = [];
  let refused = 0;
  for (const row of candidates) {
    if (request.only && !request.only.has(row.id)) continue;
    const turn = turnOf(row);
    if (turn === 'hold') {
      updateState(tx, row, { dueAt: row.due_at + HOLD }, request.now);
      continue;
    }
    const reason = turn === 'cancel' ? texts.campaignCancelled : check(row, coins >= COIN_PER_MAIL);
    if (reason !== null) {
      refuse(tx, row, reason, request.now);
      refused += 1;
      continue;
    }
    coins -= COIN_PER_MAIL;
    take(tx, row, request);
    claimed.push(row.id);
  }
  if (claimed.length > 0) count(db, request, claimed.length);
  return claimResult(allowance, candidates.length, claimed, refused);
}

/** Counts only if there is a cap. */
function claimsSoFar(db: Database, request: ClaimRequest): { own: number; platform: number } {
  const made = (cap: number | null, workspaceId: number | null): number =>
    cap === null ? 0 : claimsOn(db, request.day, workspaceId);
  return { own: made(request.workspaceDayCap, request.workspaceId), platform: made(request.platformDayCap, null) };
}

function readCandidates(db: Database, request: ClaimRequest, limit: number): Candidate[] {
  return db.all<Candidate>(
    `SELECT m.seq, m.workspace_id, m.created_at, m.id, m.status, m.domain_id, m.attempt, m.first_claimed_at, m.attachments_until,
       m.due_at, m.campaign_id, m.held_for, m.category, c.status AS contact_status, ${suppressedSql('m.workspace_id', 'c.email_hash')} AS suppressed
     FROM messages m LEFT JOIN contacts c ON c.id = m.contact_id
     WHERE m.status = 'queued' AND m.workspace_id = ? AND m.lane = ? AND m.due_at <= ?
     ORDER BY m.due_at, m.seq LIMIT ?`,
    request.workspaceId,
    request.lane,
    request.now,
    limit,
  );
}

/** Returns a function that tells why a message may not be sent, or null. Data shared by all messages is read once. */
function makeCheck(db: Database, workspaceId: number): (row: Candidate, coinLeft: boolean) => string | null {
  const workspace = readWorkspace(db, workspaceId);
  const active = new Map<number, boolean>();
  const domainActive = (id: number): boolean => {
    let known = active.get(id);
    if (known === undefined) {
      known = readDomain(db, id)?.status === 'active';
      active.set(id, known);
    }
    return known;
  };
  return ({ domain_id: domainId, category, contact_status: contactStatus, suppressed }, coinLeft) =>
    refusalReason({
      domainActive: () => domainActive(domainId),
      workspaceSuspended: workspace?.suspended ?? true,
      category,
      contactStatus,
      listed: () => suppressed === 1,
      coinLeft,
    });
}

/** Returns a function that tells what the campaign of a message says about its turn. Each campaign is read once. */
function campaignTurns(db: Database, { lane }: ClaimRequest): (row: Candidate) => CampaignTurn {
  const known = new Map<number, CampaignTurn>();
  return ({ campaign_id: id }) => {
    if (lane !== 'campaign' || id === null) return 'take';
    const turn = known.get(id) ?? campaignTurn(readCampaignState(db, id));
    known.set(id, turn);
    return turn;
  };
}

function readCampaignState(db: Database, id: number): Pick<Campaign, 'status' | 'cancelledAt'> | undefined {
  const row = db.get<{ status: Campaign['status']; cancelled_at: number | null }>(
    'SELECT status, cancelled_at FROM campaigns WHERE id = ?',
    id,
  );
  return row && { status: row.status, cancelledAt: row.cancelled_at };
}

function refuse(tx: Transaction, row: Candidate, reason: string, now: number): void {
  updateState(tx, row, { status: 'failed', failedReason: reason, dueAt: null, attachmentsUntil: null }, now);
  if (row.attachments_until !== null) tx.db.run('DELETE FROM attachments WHERE seq = ?', row.seq);
}

function claimedState(row: Candidate, request: ClaimRequest) {
  return {
    status: 'sending' as const,
    failedReason: null,
    dueAt: request.leaseUntil,
    attempt: row.attempt + 1,
    firstClaimedAt: row.first_claimed_at ?? request.now,
    fence: null,
    fencedAt: null,
    ...(row.held_for !== null && { heldFor: null }),
  };
}

function take(tx: Transaction, row: Candidate, request: ClaimRequest): void {
  const { db } = tx;
  const { now, workspaceId } = request;
  const state = claimedState(row, request);
  updateState(tx, row, state, now);
  const open = { fencedAt: null, finishedAt: null, outcome: null, reply: null };
  ATTEMPT.insert(db, { seq: row.seq, n: state.attempt, workspaceId, claimedAt: now, ...open });
  appendLedger(db, {
    id: ledgerId.debit(row.id, state.attempt),
    workspaceId,
    kind: 'debit',
    amount: -COIN_PER_MAIL,
    messageId: row.id,
    at: now,
  });
  const value = dispatchRecord(row.id, state.attempt, request.lane, request.only?.get(row.id));
  tx.emit([{ topic: 'messages.dispatch', key: row.id, value }]);
}

function count(db: Database, request: ClaimRequest, claims: number): void {
  moveBalance(db, request.workspaceId, -claims * COIN_PER_MAIL);
  for (const workspaceId of [request.workspaceId, 0]) {
    DAY.upsert(db, 'DO UPDATE SET claims = claims + excluded.claims', { day: request.day, workspaceId, claims });
  }
}
