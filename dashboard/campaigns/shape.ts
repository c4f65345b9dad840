import type { Approval } from '../../domain/campaigns/campaign';

/** A campaign of a list, as `campaign.list` answers it. */
export interface ListedCampaign {
  id: number;
  subject: string;
  status: string;
  scheduled_at: string | null;
  sent_at: string | null;
  qualified: number | null;
  approval: { state: Approval['state']; by: string; at: string } | null;
  created_at: string;
}

/** A campaign as `campaign.show` answers it. */
export interface ShownCampaign extends ListedCampaign {
  audience_id: number;
  domain_id: number;
  html: string | null;
  blocks: readonly Readonly<Record<string, unknown>>[] | null;
  content_hash: string;
  counts: Readonly<Record<'recipients' | Share, number>>;
  opens_by_people: number;
  clicks_by_people: number;
  unsubscribes: number;
  complaints: number;
  conversions: number;
  revenue: number;
  pause_reason: string | null;
  schedule_error: string | null;
  /** How fast mails of the workspace go out now, and the end at this pace; absent unless it is being sent. */
  per_minute?: number;
  ends_at?: string | null;
}

export type Share = 'delivered' | 'bounced' | 'failed' | 'skipped' | 'pending' | 'in_hand';

/** A tracked link, as `campaign.links` answers it. */
export interface CampaignLink {
  url: string | null;
  clicks: number;
  people: number;
}

/** Somebody a campaign goes to, as `campaign.recipients` answers it. */
export interface Recipient {
  email: string | null;
  status: string;
  reason: string | null;
  message_id: string | null;
}

/** A campaign as somebody would get it, as `campaign.render` answers it. */
export interface Rendered {
  html: string | null;
  text: string | null;
  warnings: readonly string[];
}
