import type { LastActivity } from '../engagement/engagement';
import type { SignalKind } from '../engagement/signal';

/** How many emails of a campaign were opened, clicked and unsubscribed with. */
export interface CampaignTally {
  opens: number;
  clicks: number;
  unsubscribes: number;
  /** Opens and clicks without the hits of machines (docs/machine-signals.md#counts). */
  opensByPeople: number;
  clicksByPeople: number;
}

export const NO_TALLY: CampaignTally = { opens: 0, clicks: 0, unsubscribes: 0, opensByPeople: 0, clicksByPeople: 0 };

/** What a signal adds to the tally of its campaign: an email counts once. A click counts as an open. */
export function tallySignal(kind: SignalKind, earlier: ReadonlySet<string>): CampaignTally {
  if (earlier.has(kind)) return NO_TALLY;
  const opened = earlier.has('open') || earlier.has('click');
  return {
    ...NO_TALLY,
    opens: kind !== 'unsubscribe' && !opened ? 1 : 0,
    clicks: kind === 'click' ? 1 : 0,
    unsubscribes: kind === 'unsubscribe' ? 1 : 0,
  };
}

/** What a change of the people who opened and clicked an email adds to the tally of its campaign. */
export function tallyPeople(before: LastActivity, after: LastActivity): CampaignTally {
  const added = (was: number | null, is: number | null): number => Number(is !== null) - Number(was !== null);
  return {
    ...NO_TALLY,
    opensByPeople: added(before.openedAt, after.openedAt),
    clicksByPeople: added(before.clickedAt, after.clickedAt),
  };
}

/** The sum of two tallies. */
export const addTallies = (a: CampaignTally, b: CampaignTally): CampaignTally => ({
  opens: a.opens + b.opens,
  clicks: a.clicks + b.clicks,
  unsubscribes: a.unsubscribes + b.unsubscribes,
  opensByPeople: a.opensByPeople + b.opensByPeople,
  clicksByPeople: a.clicksByPeople + b.clicksByPeople,
});

/** True when a tally changes nothing. */
export const isNoTally = (tally: CampaignTally): boolean => Object.values(tally).every((n) => n === 0);
