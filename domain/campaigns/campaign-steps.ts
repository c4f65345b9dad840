import { texts } from '../texts';
import type { Campaign } from './campaign';
import { campaignMessage, type CampaignRun, type CampaignSender, type RecipientState } from './campaign-run';
import type { RemovalReason } from './campaign-recipients';
import type { SkipReason } from './campaign-start';

type Running = Pick<Campaign, 'workspaceId' | 'audienceId' | 'status' | 'sentAt' | 'cancelledAt' | 'lastContactId'>;

/** The members that come next to the manifest: those with ids after `after` up to `upTo`, joined by `joinedBy` (ms). */
export interface ListingRange {
  workspaceId: number;
  audienceId: number;
  after: number;
  upTo: number;
  joinedBy: number;
}

/** A member that is listed; with a reason it is skipped. */
export interface ListedMember {
  contactId: number;
  reason: SkipReason | RemovalReason | null;
}

/** The members to list next; null when the manifest is complete, or does not grow now. */
export function nextListing(campaign: Running, run: CampaignRun): ListingRange | null {
  const { workspaceId, audienceId, status, sentAt, lastContactId } = campaign;
  const runs = status === 'live' || status === 'completed';
  if (!runs || sentAt === null || run.expanded) return null;
  return { workspaceId, audienceId, after: run.expandedTo, upTo: lastContactId ?? 0, joinedBy: sentAt };
}

/**
 * The members of a page that get a row. Where nobody qualified at the start, whoever does since then is as one who
 * joined later.
 */
export const listedMembers = <M extends ListedMember>(
  { status, cancelledAt }: Running,
  members: readonly M[],
): readonly M[] =>
  status === 'live' || cancelledAt !== null ? members : members.filter(({ reason }) => reason !== null);

/** The state of a row that was just listed. */
export const listedState = (reason: ListedMember['reason']): RecipientState =>
  reason === null ? 'pending' : 'skipped';

/** What a step of expansion answers: the rows that were added, and at least 1 while there may be more. */
export const expansionAnswer = (added: number, done: boolean): number => (done ? added : Math.max(1, added));

/** A row whose turn has come, with its contact's address; null once the contact was deleted. */
export interface TurnRow {
  contactId: number;
  state: RecipientState;
  email: string | null;
}

/** How a row of the manifest changes. */
export interface RowChange {
  contactId: number;
  state: Exclude<RecipientState, 'pending'>;
  reason: string | null;
  messageId: string | null;
}

/** What a step does to rows and to the counters of the run. */
export interface StepPlan {
  changes: RowChange[];
  /** What is added to the counters. */
  count: Pick<CampaignRun, 'fed' | 'skipped' | 'cancelled'>;
  fedTo: number;
}

/**
 * The messages that a campaign's next rows become, and what is written of the rows (docs/architecture.md#campaigns).
 */
export function planFeed(
  sender: CampaignSender,
  rows: readonly TurnRow[],
  at: number,
): StepPlan & { messages: { contactId: number; facts: ReturnType<typeof campaignMessage> }[] } {
  const messages: { contactId: number; facts: ReturnType<typeof campaignMessage> }[] = [];
  const changes = pendingOf(rows).map(({ contactId, email }): RowChange => {
    if (email === null) return { contactId, state: 'skipped', reason: 'deleted', messageId: null };
    const facts = campaignMessage(sender, { id: contactId, email }, at);
    messages.push({ contactId, facts });
    return { contactId, state: 'message', reason: null, messageId: facts.id };
  });
  const count = { fed: messages.length, skipped: changes.length - messages.length, cancelled: 0 };
  return { messages, changes, count, fedTo: lastOf(rows) };
}

/** What is written of the next rows of a cancelled campaign. */
export function planCancellation(rows: readonly Omit<TurnRow, 'email'>[]): StepPlan {
  const changes = pendingOf(rows).map(({ contactId }): RowChange => {
    return { contactId, state: 'cancelled', reason: texts.campaignCancelled, messageId: null };
  });
  return { changes, count: { fed: 0, skipped: 0, cancelled: changes.length }, fedTo: lastOf(rows) };
}

/** What settles the messages of a campaign: they leave their hold, or end; null when nothing does. */
export function settlement({
  status,
  cancelledAt,
}: Pick<Campaign, 'status' | 'cancelledAt'>): 'release' | 'end' | null {
  if (status === 'live') return 'release';
  return cancelledAt === null ? null : 'end';
}

/** How a queued message of a cancelled campaign ends: without a coin. */
export const CANCELLED_MESSAGE = { status: 'failed', failedReason: texts.campaignCancelled, dueAt: null } as const;

const pendingOf = <R extends { state: RecipientState }>(rows: readonly R[]): R[] =>
  rows.filter(({ state }) => state === 'pending');

const lastOf = (rows: readonly { contactId: number }[]): number => rows.at(-1)?.contactId ?? 0;
