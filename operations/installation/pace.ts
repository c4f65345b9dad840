import { accountRate } from '../workspaces/account-rate';
import { RateWindow } from '../../domain/queue/rate-window';
import { RATE_WINDOW } from '../../domain/queue/send-rate';
import type { Pace } from '../../domain/queue/waiting';
import { nextWibMidnight, wibDay } from '../../domain/wib';
import type { Stores } from '../../stores/ports';

/**
 * What keeps a workspace from having more messages claimed at `now`, by the same numbers as the throttle
 * (docs/architecture.md#pacing-and-claim); null when nothing does. The day's caps come before the rate, since they last
 * longer.
 */
export async function paceOf(
  stores: Pick<Stores, 'queue' | 'coins' | 'workspaces' | 'settings'>,
  workspaceId: number,
  now: number,
): Promise<Pace | null> {
  const { perMinute, perDay } = await accountRate(stores, workspaceId, now);
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

/** Sets the most emails the whole platform sends per WIB day; null: as many as there are. */
export const setPlatformCap = (settings: Pick<Stores['settings'], 'set'>, cap: number | null): Promise<void> =>
  settings.set('warmup_cap', cap);
