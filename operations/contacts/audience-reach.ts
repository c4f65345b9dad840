import { wallTime } from '../../lib/advancing-clock';
import { countQualified } from '../campaigns/count-qualified';
import type { Audience } from '../../domain/contacts/audience';
import { SECOND } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { Session } from '../definition';

/** What an answer may spend on counting, real ms. */
const PATIENCE = 2 * SECOND;
/** Members below which a count is quick enough to be made each time. */
const FEW = 2_000;
/** How long a count of more holds, real ms. */
const KEPT = 60 * SECOND;

type Counts = Map<string, { at: number; count: number }>;
const counted = new WeakMap<Stores, Counts>();

/**
 * How many members of each audience a campaign would go to now: subscribed, not suppressed, confirmed
 * (docs/contract.md#send-a-campaign). The count of a large audience may be a minute old. Null for those that would take
 * the answer too long.
 */
export async function reachOf(
  { stores, clock }: Pick<Session, 'stores' | 'clock'>,
  audiences: readonly Audience[],
): Promise<(number | null)[]> {
  const end = wallTime() + PATIENCE;
  const known: Counts = counted.get(stores) ?? new Map<string, { at: number; count: number }>();
  counted.set(stores, known);
  const reach: (number | null)[] = [];
  for (const { workspaceId, id: audienceId, contactsCount } of audiences) {
    const key = `${workspaceId}:${audienceId}`;
    const last = known.get(key);
    if (contactsCount > FEW && last && wallTime() - last.at < KEPT) {
      reach.push(last.count);
      continue;
    }
    const order = { workspaceId, audienceId, joinedBy: clock.now() };
    const found = await countQualified(stores, order, () => contactsCount <= FEW || wallTime() < end);
    if (found) known.set(key, { at: wallTime(), count: found.qualified });
    reach.push(found?.qualified ?? null);
  }
  return reach;
}
