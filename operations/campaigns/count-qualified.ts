import type { Stores } from '../../stores/ports';
import type { MembersQuery } from '../../stores/ports/campaign-runs';

/** Members that are counted between two pauses for other work. */
const PAGE = 2_000;

/** The members who qualify, and the highest contact id of all; null without members. */
export interface Qualified {
  qualified: number;
  lastContactId: number | null;
}

/**
 * Counts the members of an audience to whom a campaign would go now (docs/contract.md#send-a-campaign). Null once
 * `goOn` says no before the end.
 */
export async function countQualified(
  { campaignRuns }: Pick<Stores, 'campaignRuns'>,
  order: Pick<MembersQuery, 'workspaceId' | 'audienceId' | 'joinedBy'>,
  goOn: () => boolean = () => true,
): Promise<Qualified | null> {
  let qualified = 0;
  let lastContactId: number | null = null;
  while (goOn()) {
    const page = await campaignRuns.countMembers({ ...order, after: lastContactId ?? 0, limit: PAGE });
    qualified += page.qualified;
    lastContactId = page.last ?? lastContactId;
    if (page.done) return { qualified, lastContactId };
    await new Promise(setImmediate);
  }
  return null;
}
