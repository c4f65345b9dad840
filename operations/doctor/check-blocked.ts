import { refuserOf, type Refuser } from '../../domain/bounces/providers';
import { DAY } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { Check } from './check';

/** Blocked reports a day for one domain and provider from which on they are named (docs/bounces.md#blocked-senders). */
const BLOCKED_A_DAY = 10;
/** The most refusals read. */
const MAX = 10_000;
const LONGEST_WORDS = 200;

interface Group {
  domainId: number;
  refuser: Refuser;
  words: string;
  count: number;
}

/** Names the sending domains that providers blocked within a day, with the newest words of each provider. */
export async function checkBlocked(stores: Pick<Stores, 'bounces' | 'domains'>, now: number): Promise<Check[]> {
  const groups = new Map<string, Group>();
  for (const { domainId, to, reason } of await stores.bounces.refusals('sender_blocked', now - DAY, MAX)) {
    const refuser = refuserOf(reason, to);
    const key = `${domainId} ${refuser.name}`;
    const group = groups.get(key);
    if (group) group.count += 1;
    else groups.set(key, { domainId, refuser, words: reason.slice(0, LONGEST_WORDS), count: 1 });
  }
  const many = [...groups.values()].filter(({ count }) => count >= BLOCKED_A_DAY);
  return Promise.all(
    many.map(async ({ domainId, refuser, words, count }): Promise<Check> => {
      const domain = (await stores.domains.get(domainId))?.domain ?? `domain ${domainId}`;
      const link = refuser.link && !words.includes(refuser.link) ? ` See ${refuser.link}` : '';
      const detail = `${domain}: ${refuser.name} blocked ${count} emails in one day: "${words}"${link}`;
      return { check: 'blocked sender', status: 'note', detail };
    }),
  );
}
