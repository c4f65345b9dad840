import type { Offer } from '../caller';
import type { Entry } from '../sink/journal';

/** The longest time any premium workspace went without a mail, ms, while messages of all workspaces were sent. */
export function longestSilence(
  entries: readonly Entry[],
  offers: readonly Offer[],
  { from, to }: { from: number; to: number },
): number {
  const owners = new Map(offers.map(({ to: address, sender }) => [address, sender]));
  const last = new Map([...new Set(owners.values())].filter(({ isFree }) => !isFree).map((sender) => [sender, from]));
  let longest = 0;
  for (const entry of entries) {
    if (entry.what !== 'mail' || entry.at > to) continue;
    const sender = owners.get(entry.to);
    const before = sender && last.get(sender);
    if (sender === undefined || before === undefined) continue;
    longest = Math.max(longest, entry.at - before);
    last.set(sender, entry.at);
  }
  return Math.max(longest, ...[...last.values()].map((at) => to - at));
}
