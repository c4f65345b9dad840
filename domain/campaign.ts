export const CAMPAIGN_STATUSES = ['draft', 'scheduled', 'live', 'paused', 'completed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

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
  /** When it went live. */
  sentAt: number | null;
  /** How many were to receive it as it went live; null before. */
  recipients: number | null;
  /** The highest id of a member then: nobody above it, and nobody who joined later, receives it. Null before, or without members. */
  lastContactId: number | null;
  createdAt: number;
}
