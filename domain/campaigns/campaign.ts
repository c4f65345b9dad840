import { initialOf, number, object, oneOf, text, word, type ValuesOf } from '../field';
import type { Block } from './block';

export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'live', 'paused', 'completed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** Whether an owner agrees to the content, where the workspace asks for it. An edit takes it away. */
export interface Approval {
  state: 'asked' | 'given';
  by: string;
  /** ms */
  at: number;
}

/** Statuses in which a campaign may be edited; only drafts may be deleted. */
export const EDITABLE: readonly CampaignStatus[] = ['draft', 'scheduled'];

/** The fields of a campaign that may change until it starts. */
const CAMPAIGN_CONTENT = {
  audienceId: number(),
  domainId: number(),
  subject: text(),
  /** Null: no content yet. */
  html: text().orNull(),
  /** What the html was compiled from; null: it was written as HTML. */
  blocks: object<readonly Block[]>().orNull(),
  /** Null: generated from the html. */
  text: text().orNull(),
  preheader: text().orNull(),
  /** Null: `no-reply@` the domain. */
  fromEmail: word().orNull(),
  /** Null: the business name. */
  fromName: text().orNull(),
  replyTo: word().orNull(),
};
export const CONTENT_FIELDS = Object.keys(CAMPAIGN_CONTENT) as (keyof typeof CAMPAIGN_CONTENT)[];
export type CampaignContent = ValuesOf<typeof CAMPAIGN_CONTENT>;

/** How far it is. All times are ms. */
const CAMPAIGN_STATE = {
  status: oneOf(CAMPAIGN_STATUSES).initially('draft'),
  scheduledAt: number().orNull(),
  /** When the campaign went live. */
  sentAt: number().orNull(),
  /** The number of members who qualified at that time; null before. */
  recipients: number().orNull(),
  /**
   * The highest contact id among the members at that time; contacts above it and later members do not receive the
   * campaign. Null before, or without members.
   */
  lastContactId: number().orNull(),
  /** When it was cancelled; its status is then `completed`. */
  cancelledAt: number().orNull(),
  /** Why the campaign paused by itself; null when it is not paused, or was paused by hand. */
  pauseReason: word().orNull(),
  /** Why the last scheduled start was refused; null once it is scheduled or started again. */
  scheduleError: word().orNull(),
  approval: object<Approval>().orNull(),
};

/**
 * A mail to the members of an audience (docs/contract.md#list-of-campaigns), prepared by the operator: its columns and
 * its type follow from this.
 */
export const CAMPAIGN_FIELDS = {
  id: number(),
  workspaceId: number(),
  ...CAMPAIGN_CONTENT,
  ...CAMPAIGN_STATE,
  createdAt: number(),
};
export type Campaign = ValuesOf<typeof CAMPAIGN_FIELDS>;

/** The state of a campaign that was just created. */
export const NEW_CAMPAIGN = initialOf(CAMPAIGN_STATE);

/** The content of a campaign. */
export const contentOf = (campaign: CampaignContent): CampaignContent =>
  Object.fromEntries(CONTENT_FIELDS.map((field) => [field, campaign[field]])) as unknown as CampaignContent;

/** True if two contents are the same; blocks are compared by the html they make. */
export const hasContent = (one: CampaignContent, other: CampaignContent): boolean =>
  CONTENT_FIELDS.every((field) => field === 'blocks' || one[field] === other[field]);
