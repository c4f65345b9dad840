import { UNREAD_KEPT } from '../../../domain/bounces/unread-report';
import { HAND_OFF_LEASE } from '../../../domain/messages/retry-schedule';
import { DAY, HOUR, MINUTE } from '../../../lib/clock';
import type { Logger } from '../../../lib/logger';
import type { Stores } from '../../../stores/ports';
import type { EventLog } from '../../../streams/event-log';
import { DUE_KINDS } from '../../../schemas/due-work/table';
import { redispatch } from '../redispatch';
import type { TimerTask } from '../timer-task';

export interface HousekeepingDeps {
  stores: Pick<Stores, 'deadlines' | 'deliveries' | 'journeyPosts' | 'bounces' | 'dueTasks' | 'records'>;
  log: Pick<EventLog, 'trim' | 'publish'>;
  logger: Pick<Logger, 'error'>;
  /** How long deliveries of webhooks, and posts of webhook steps, are kept, ms. */
  deliveriesKept: number;
}

const PAGE = 1_000;
/** Events outlive their records in the log, so that a repeated record is known. The feed promises seven days. */
const EVENTS_KEPT = 8 * DAY;
/** A claim not handed over after this long has lost its record, or waits behind a slow server. A repeat is harmless. */
const CLAIM_PATIENCE = 2 * MINUTE;

/** What is done every minute or hour: nothing of it has a due time. */
export function housekeeping({ stores, log, logger, deliveriesKept: kept }: HousekeepingDeps): TimerTask[] {
  const { deliveries, journeyPosts, bounces, dueTasks, records } = stores;
  return [
    // Long before their lease ends.
    every(CLAIM_PATIENCE, 'lost claims', (now) =>
      redispatch({ stores, log }, now - CLAIM_PATIENCE + HAND_OFF_LEASE).then(() => false),
    ),
    every(MINUTE, 'trimming the log', async (now) => (await log.trim(now, 2 * PAGE)) >= 2 * PAGE),
    every(HOUR, 'trimming webhook deliveries', async (now) => {
      return (await deliveries.trim({ events: now - EVENTS_KEPT, deliveries: now - kept }, PAGE)) > 0;
    }),
    every(HOUR, 'trimming posts of journeys', async (now) => (await journeyPosts.trim(now - kept, PAGE)) > 0),
    // 30 days after it was last seen (docs/bounces.md#what-is-not-understood).
    every(HOUR, 'trimming unclassified reports', (now) => bounces.trimUnread(now - UNREAD_KEPT).then(() => false)),
    // Sessions, links and counts of failed sign-ins: what has expired counts as gone already.
    every(HOUR, 'trimming expired records', async (now) => (await records.trim(now, PAGE)) >= PAGE),
    // A newer version may have scheduled it. It stays as it is.
    every(HOUR, 'unknown due work', async () => {
      const kinds = (await dueTasks.kinds()).filter((kind) => !(DUE_KINDS as string[]).includes(kind));
      if (kinds.length > 0) logger.error({ kinds }, 'there is due work of kinds unknown to this version');
      return false;
    }),
  ];
}

/** Runs page by page, as long as `page` says that there may be more, and again `interval` ms later. */
function every(interval: number, name: string, page: (now: number) => Promise<boolean>): TimerTask {
  let ranAt = 0;
  return {
    name,
    run: async (now) => {
      // A clock that was set back would keep it away.
      if (now >= ranAt && now - ranAt < interval) return false;
      if (await page(now)) return true;
      ranAt = now;
      return false;
    },
  };
}
