import { isPremium } from '../../domain/ledger/coins';
import { RateWindow } from '../../domain/queue/rate-window';
import { PREMIUM_PER_MINUTE, RATE_WINDOW, sendRate } from '../../domain/queue/send-rate';
import type { Pace } from '../../domain/queue/waiting';
import { nextWibMidnight, wibDay } from '../../domain/wib';
import type { Stores } from '../../stores/ports';

/**
 * What keeps a workspace from having more messages claimed at `now`, by the same numbers as the throttle
 * (docs/architecture.md#pacing-and-claim); null when nothing does. The day's caps come before the rate, since they last
 * longer.
 */
export async function paceOf(
  stores: Pick<Stores, 'queue' | 'coins' | 'settings'>,
  workspaceId: number,
  now: number,
): Promise<Pace | null> {
  const premium = isPremium(await stores.coins.account(workspaceId), now);
  const { perMinute, perDay } = sendRate(premium, await highestRate(stores.settings));
  const day = wibDay(now);
  const cap = ((await stores.settings.get('warmup_cap')) ?? null) as number | null;
  const midnight = nextWibMidnight(now);
  if (cap !== null && (await stores.queue.claimsOn(day, null)) >= cap)
    return { by: 'platform_day_cap', until: midnight };
  if (perDay !== null && (await stores.queue.claimsOn(day, workspaceId)) >= perDay) {
    return { by: 'workspace_day_cap', until: midnight };
  }
  const recent = await stores.queue.recentClaims(workspaceId, now - RATE_WINDOW, perMinute);
  const window = new RateWindow(RATE_WINDOW, recent);
  return window.allowance(perMinute, now) > 0 ? null : { by: 'rate', until: window.nextAt(perMinute, now) };
}

/** The highest rate of premium accounts that was ever in force, mails a minute; tests and benches raise it. */
export async function highestRate(settings: Pick<Stores['settings'], 'get'>): Promise<number> {
  return Math.max(PREMIUM_PER_MINUTE, ((await settings.get('premium_per_minute')) ?? 0) as number);
}
