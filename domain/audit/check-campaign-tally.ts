import type { CampaignTally } from '../campaigns/campaign-tally';
import type { Signal } from '../engagement/signal';
import { unless, type Difference } from './difference';

/** What a campaign counts of its signals, and what its signals add up to. */
export interface TallyRecord {
  stored: CampaignTally;
  /** Of emails whose contact exists: all of these are counted. */
  least: CampaignTally;
  /**
   * Of all emails. What was done before the contact was deleted is counted, what was done after it is not, and a
   * machine that was found after it is still counted as a person.
   */
  most: CampaignTally;
}

const NAMES: readonly (readonly [keyof CampaignTally, string])[] = [
  ['opens', 'opens'],
  ['clicks', 'clicks'],
  ['unsubscribes', 'unsubscribes'],
  ['opensByPeople', 'opens without bots'],
  ['clicksByPeople', 'clicks without bots'],
];

/** What the signals of one email add to the tally of its campaign: each counts once, and a click is an open. */
export function tallyOf(signals: readonly Pick<Signal, 'kind' | 'machine'>[]): CampaignTally {
  const any = (kinds: readonly string[], ofPeople = false): number =>
    Number(signals.some(({ kind, machine }) => kinds.includes(kind) && !(ofPeople && machine !== null)));
  return {
    opens: any(['open', 'click']),
    clicks: any(['click']),
    unsubscribes: any(['unsubscribe']),
    opensByPeople: any(['open', 'click'], true),
    clicksByPeople: any(['click'], true),
  };
}

/** Adds the opens, clicks and unsubscribes of a campaign up again (docs/contract.md#show-a-campaign). */
export function checkTally({ stored, least, most }: TallyRecord, subject: string): readonly Difference[] {
  return NAMES.flatMap(([name, text]) => {
    const [from, to, found] = [least[name], most[name], stored[name]];
    const expected = from === to ? `${from} ${text}` : `${from} to ${to} ${text}`;
    return unless(found >= from && found <= to, 'campaign-tally', subject, expected, `${found}`);
  });
}
