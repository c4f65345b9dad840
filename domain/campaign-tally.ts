import type { SignalKind } from './signal';

/** How many emails of a campaign were opened, clicked and unsubscribed with. */
export interface CampaignTally {
  opens: number;
  clicks: number;
  unsubscribes: number;
}

/** What a signal adds to the tally of its campaign: an email counts once. A click counts as an open. */
export function tallySignal(kind: SignalKind, earlier: ReadonlySet<SignalKind>): CampaignTally {
  if (earlier.has(kind)) return { opens: 0, clicks: 0, unsubscribes: 0 };
  const opened = earlier.has('open') || earlier.has('click');
  return {
    opens: kind !== 'unsubscribe' && !opened ? 1 : 0,
    clicks: kind === 'click' ? 1 : 0,
    unsubscribes: kind === 'unsubscribe' ? 1 : 0,
  };
}
