/** What `workspace.show` answers, as far as it is shown. */
export interface Shown {
  name: string;
  status: string;
  email_module: boolean;
  coins: number;
  premium: boolean;
  domains: readonly { id: number; domain: string; status: string }[];
}

/** What `campaign.list` answers, as far as it is shown. */
export interface Campaigns {
  data: readonly {
    id: number;
    subject: string;
    status: string;
    created_at: string;
  }[];
}

/** What `webhook.list` answers, as far as it is shown. */
export interface Webhooks {
  data: readonly { id: number; url: string; is_active: boolean; failures: number }[];
}

/** What `conversion.revenue` answers, as far as it is shown. */
export interface Sales {
  conversions: number;
  revenue: number;
}

/** The figures of `message.stats`. */
export interface Figures {
  accepted: number;
  sent: number;
  queued: number;
  sending: number;
  sent_to_mta: number;
  delivered: number;
  bounced: number;
  failed: number;
  complained: number;
  opened: number;
  clicked: number;
  opened_by_machines: number;
  clicked_by_machines: number;
}

/** What `message.stats` answers. */
export interface Stats {
  since: string;
  until: string;
  by: 'hour' | 'day';
  total: Figures;
  data: readonly (Figures & { at: string; day: string })[];
}

/** All that the overview shows. */
export interface Overview {
  of: Shown;
  stats: Stats;
  sales: Sales;
  latest: Campaigns;
  /** Those that wait for an owner. */
  asked: Campaigns;
  webhooks: Webhooks;
  /** Why the time of the address cannot be shown. */
  fault: string | null;
}

/** Days of WIB that the address may name, today among them. */
export const RANGES = [1, 7, 30, 90] as const;

/** The time of the figures as lists take it, both ends included. */
export const timesOf = ({ since, until }: Pick<Stats, 'since' | 'until'>): { since: string; until: string } => ({
  since: new Date(Date.parse(since)).toISOString(),
  until: new Date(Date.parse(until) - 1).toISOString(),
});
