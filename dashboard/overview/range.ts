import type { CAMPAIGN } from '../../operations/campaigns/campaign';
import type { CONVERSION } from '../../operations/conversions/conversion';
import type { AnswerOf, RowOf } from '../../operations/definition';
import type { MESSAGE } from '../../operations/messages/message';
import type { WEBHOOK } from '../../operations/webhooks/webhook';
import type { WORKSPACE } from '../../operations/workspaces/workspace';

export type Stats = AnswerOf<typeof MESSAGE.stats>;
export type Sales = AnswerOf<typeof CONVERSION.revenue>;
type Campaigns = readonly RowOf<typeof CAMPAIGN.list>[];

/** All that the overview shows. */
export interface Overview {
  of: AnswerOf<typeof WORKSPACE.show>;
  stats: Stats;
  sales: Sales;
  latest: Campaigns;
  /** Those that wait for an owner. */
  asked: Campaigns;
  webhooks: readonly RowOf<typeof WEBHOOK.list>[];
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
