import { LRUCache } from 'lru-cache';
import type { Finding } from '../../domain/deliverability/finding';
import { MINUTE } from '../../lib/clock';
import { reasonsOf, type Reason } from '../../lib/reason';
import { withTimeout } from '../../lib/with-timeout';

/** How long a screen waits for the DNS, ms. */
const BOUND = 1_500;
const known = new LRUCache<string, Promise<Finding[]>>({ max: 500, ttl: 10 * MINUTE });

const warning = reasonsOf({
  blocks: [
    '{domain}: {check} ({found}): {why}. See kurir domain doctor {what}.',
    '{domain}: {check} ({found}): {why}. Selengkapnya: kurir domain doctor {what}.',
  ],
});

/**
 * What `kurir domain doctor` finds that blocks mail of a domain, asked for at most every ten minutes.
 * Empty while there is no answer within `bound` ms of real time: the next call may have it.
 */
export async function domainWarnings(
  { domain, replyTo }: { domain: string; replyTo: string | null },
  examine: () => Promise<Finding[]>,
  bound = BOUND,
): Promise<Reason[]> {
  const what = replyTo === null ? domain : `${domain} --reply-to ${replyTo}`;
  const asked = known.get(what) ?? examine();
  known.set(what, asked, { noUpdateTTL: true });
  // What fails is asked for again.
  asked.catch(() => known.delete(what));
  const findings = await withTimeout(asked, bound).catch(() => []);
  return findings
    .filter(({ level }) => level === 'blocking')
    .map(({ check, found, why }) => warning('blocks', { domain, check, found, why, what }));
}
