import type { Campaign, CampaignStatus } from '../../domain/campaigns/campaign';
import type { AutoPauseMark, CampaignCounts } from '../../domain/campaigns/campaign-run';
import type { CampaignMove } from '../../domain/campaigns/campaign-moves';
import type { StartRefusal } from '../../domain/campaigns/campaign-start';
import type { MessageStatus } from '../../domain/messages/message';

export interface CampaignRef {
  workspaceId: number;
  id: number;
}

/** A page of the members of an audience, counted. */
export interface CountedMembers {
  /** Members of the page who qualify. */
  qualified: number;
  /** The contact id of the last member of the page; null when the page is empty. */
  last: number | null;
  /** True when this was the last page. */
  done: boolean;
}

export interface MembersQuery {
  workspaceId: number;
  audienceId: number;
  /** Only contacts with a higher id. */
  after: number;
  /** Only members who had joined then, ms. */
  joinedBy: number;
  limit: number;
}

export interface StartRequest extends CampaignRef {
  /** The status it must have. A scheduled one must also be due. */
  from: 'draft' | 'scheduled';
  /** The members who qualified at `at`, and the highest contact id of all members; null without members. */
  qualified: number;
  lastContactId: number | null;
  /** ms */
  at: number;
}

export type StartOutcome =
  { kind: 'started'; status: 'live' | 'completed' } | ({ kind: 'refused' } & StartRefusal) | { kind: 'unknown' };

export type MoveOutcome = { kind: 'moved'; status: CampaignStatus } | { kind: 'refused' } | { kind: 'unknown' };

/** The state of a campaign and its counts, all of one moment. */
export interface CampaignProgress {
  /** Without its content. */
  campaign: Omit<Campaign, 'html' | 'blocks' | 'text'>;
  /** True once the manifest is complete. */
  expanded: boolean;
  /** Rows that were not made messages yet. */
  waitingRows: number;
  /** Messages that wait for their turn. */
  queued: number;
  counts: CampaignCounts;
  /** Of its messages that bounced or complained, and of all final ones. */
  brake: AutoPauseMark;
  marks: readonly AutoPauseMark[];
  /** Emails that were opened, clicked, and unsubscribed with; a click counts as an open. */
  opens: number;
  clicks: number;
  /** The same two without the hits of machines (docs/machine-signals.md#counts). */
  opensByPeople: number;
  clicksByPeople: number;
  unsubscribes: number;
  complaints: number;
  /** Sales linked to its messages, and their sum in whole rupiah. */
  conversions: number;
  revenue: number;
}

/** A row of the manifest as it stands now. */
export interface CampaignRecipient {
  contactId: number;
  /** Null once the contact was deleted. */
  email: string | null;
  /** The status of its message, if it has one. */
  status: 'pending' | 'skipped' | MessageStatus;
  /** Why it was skipped (see SkipReason), or the failed_reason of its message. */
  reason: string | null;
  messageId: string | null;
}

/** The clicks on one link in one mail. */
export interface LinkClicks {
  messageId: string;
  /** The place of the link in the mail, from 0; null when it is not known. */
  link: number | null;
  /** Where it led; null when that is not known, or was cleaned with the contact. */
  url: string | null;
  clicks: number;
  /** The same without the hits of machines. */
  clicksByPeople: number;
}

/** The clicks in the mails of some recipients. */
export interface LinkClicksPage {
  items: LinkClicks[];
  /** The last contact that was looked at; null when none is left. */
  last: number | null;
}

/** What a step of CampaignRuns.feed did: the rows it passed, 0 when none is left, and those that became messages. */
export interface Fed {
  rows: number;
  accepted: number;
}

/**
 * What a step of CampaignRuns.settle did: rows or messages settled, 0 when nothing is left, and messages that failed.
 */
export interface Settled {
  settled: number;
  failed: number;
}

/**
 * The runs of campaigns: from the start to the last recipient (docs/architecture.md#campaigns). Each method that writes
 * is one commit, and may be repeated, by several processes at once too: a step goes on from the cursor that the last
 * one stored with its rows, so no row is made twice.
 * - Durability: every method that writes resolves once the write is durable. A rejected call may still have taken
 *   effect.
 * - Errors: UnavailableError.
 */
export interface CampaignRuns {
  /** Counts a page of the members of an audience who would receive a campaign now. */
  countMembers(query: MembersQuery): Promise<CountedMembers>;
  /**
   * Checks and starts a campaign: sets it live, or completed when nobody qualifies, and schedules the due work that
   * drives it. Of several at once, one starts it. Refuses in the order of startRefusal.
   */
  start(request: StartRequest): Promise<StartOutcome>;
  /** Moves a campaign by the rules of moveCampaign, with its due work. */
  move(campaign: CampaignRef, move: CampaignMove, at: number): Promise<MoveOutcome>;
  /**
   * Adds the next `limit` members to the manifest. Resolves with the number added; 0 once the manifest is complete, or
   * while the campaign is neither live nor completed.
   */
  expand(campaign: CampaignRef, limit: number): Promise<number>;
  /**
   * Makes the next `limit` rows of a live campaign messages, in the order of their contacts, and wakes the throttle. A
   * row whose contact was deleted is skipped.
   */
  feed(campaign: CampaignRef, limit: number, at: number): Promise<Fed>;
  /**
   * Takes up to `limit` messages of a live campaign off hold, or ends what still waits of a cancelled one: its rows,
   * then its queued messages, which become failed without a coin.
   */
  settle(campaign: CampaignRef, limit: number, at: number): Promise<Settled>;
  /** Null if the workspace has no such campaign. */
  progress(campaign: CampaignRef): Promise<CampaignProgress | null>;
  /** Stores the marks of the brake. */
  mark(campaign: CampaignRef, marks: readonly AutoPauseMark[]): Promise<void>;
  /** The manifest in the order of contact ids, after contact `after` (0: from the first), at most `limit`. */
  recipients(campaign: CampaignRef, after: number, limit: number): Promise<CampaignRecipient[]>;
  /**
   * The clicks in the mails of the next `limit` recipients, in the order of contact ids after contact `after` (0: from
   * the first).
   */
  linkClicks(campaign: CampaignRef, after: number, limit: number): Promise<LinkClicksPage>;
}
