import type { Block } from './block';

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'live', 'paused', 'completed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** The fields of a campaign that may change until it starts. */
export const CONTENT_FIELDS = [
  ...(['audienceId', 'domainId', 'subject', 'html', 'blocks', 'text', 'preheader'] as const),
  ...(['fromEmail', 'fromName', 'replyTo'] as const),
] as const;
export type CampaignContent = Pick<Campaign, (typeof CONTENT_FIELDS)[number]>;

/** The content of a campaign. */
export const contentOf = (campaign: CampaignContent): CampaignContent =>
  Object.fromEntries(CONTENT_FIELDS.map((field) => [field, campaign[field]])) as unknown as CampaignContent;

/** True if two contents are the same; blocks are compared by the html they make. */
export const hasContent = (one: CampaignContent, other: CampaignContent): boolean =>
  CONTENT_FIELDS.every((field) => field === 'blocks' || one[field] === other[field]);

/** Whether an owner agrees to the content, where the workspace asks for it. An edit takes it away. */
export interface Approval {
  state: 'asked' | 'given';
  by: string;
  /** ms */
  at: number;
}

/** Statuses in which a campaign may be edited; only drafts may be deleted. */
export const EDITABLE: readonly CampaignStatus[] = ['draft', 'scheduled'];

/**
 * A mail to the members of an audience (docs/contract.md#list-of-campaigns), prepared by the operator. All times are
 * ms.
 */
export interface Campaign {
  id: number;
  workspaceId: number;
  audienceId: number;
  domainId: number;
  subject: string;
  /** Null: no content yet. */
  html: string | null;
  /** What the html was compiled from; null: it was written as HTML. */
  blocks: readonly Block[] | null;
  /** Null: generated from the html. */
  text: string | null;
  preheader: string | null;
  /** Null: `no-reply@` the domain. */
  fromEmail: string | null;
  /** Null: the business name. */
  fromName: string | null;
  replyTo: string | null;
  status: CampaignStatus;
  scheduledAt: number | null;
  /** When the campaign went live. */
  sentAt: number | null;
  /** The number of members who qualified at that time; null before. */
  recipients: number | null;
  /**
   * The highest contact id among the members at that time; contacts above it and later members do not receive the
   * campaign. Null before, or without members.
   */
  lastContactId: number | null;
  /** When it was cancelled; its status is then `completed`. */
  cancelledAt: number | null;
  /** Why the campaign paused by itself; null when it is not paused, or was paused by hand. */
  pauseReason: string | null;
  /** Why the last scheduled start was refused; null once it is scheduled or started again. */
  scheduleError: string | null;
  approval: Approval | null;
  createdAt: number;
}

/** The state of a campaign that was just created. */
export const NEW_CAMPAIGN = {
  status: 'draft',
  scheduledAt: null,
  sentAt: null,
  recipients: null,
  lastContactId: null,
  cancelledAt: null,
  pauseReason: null,
  scheduleError: null,
  approval: null,
} as const satisfies Partial<Campaign>;
