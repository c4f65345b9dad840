import type { Clock } from '../../lib/clock';
import { accountRate } from '../../operations/workspaces/account-rate';
import { dealLanes } from '../../domain/queue/lanes';
import { LANES, type Lane } from '../../domain/messages/message';
import { RateWindow } from '../../domain/queue/rate-window';
import { HAND_OFF_LEASE } from '../../domain/messages/retry-schedule';
import { bulkPace, highestPerMinute, RATE_WINDOW, type SendRate } from '../../domain/queue/send-rate';
import { nextWibMidnight, wibDay } from '../../domain/wib';
import type { Stores } from '../../stores/ports';
import type { ClaimResult } from '../../domain/queue/claim';
import type { Deferred } from '../../stores/ports/wakeup-store';
import type { ClaimRequest, ShardLease } from '../../stores/ports/send-queue';
import type { ByClass } from './backlog';
import type { DestinationGate, Admitted } from './destination-gate';
import type { Shards } from './shards';

export type PacerStores = Pick<Stores, 'queue' | 'coins' | 'workspaces' | 'settings'>;

interface Account {
  /**
   * The epoch of the shard's lease under which the window was read. Claims that another owner made in between are not
   * in it.
   */
  epoch: number;
  window: RateWindow;
  /** Where the turns of the lanes continue. */
  cursor: number;
}

/**
 * When to check a workspace again: later, now, only when it is woken, once this process holds its shard, or once the
 * platform's day has room under another cap than this one.
 */
export type NextCheck = Deferred | 'now' | 'when woken' | 'when held' | { platformCap: number; at: number };

interface Turn {
  claimed: number;
  /** How many of them are mail of campaigns and journeys. */
  bulk: number;
  nextCheck: NextCheck;
  /** When the first transactional mail that waited before the turn is due, ms; Infinity without any. */
  transactionalAt: number;
}

type Claimed = Omit<Turn, 'transactionalAt'>;

const NOTHING: Turn = { claimed: 0, bulk: 0, nextCheck: 'now', transactionalAt: Infinity };

/** What a turn has to go by. */
interface Plan {
  rate: SendRate;
  /** Those with something due. */
  lanes: Lane[];
  places: ByClass;
  /** The most claims of this turn. */
  most: number;
  /** The most of them for bulk mail while no transactional mail waits. */
  bulk: number;
  now: number;
}

/**
 * Claims messages for one workspace at a time, within its rate, its daily cap and that of the platform
 * (docs/architecture.md#pacing-and-claim).
 */
export class Pacer {
  private readonly accounts = new Map<number, Account>();

  constructor(
    private readonly stores: PacerStores,
    private readonly shards: Shards,
    private readonly clock: Clock,
    /** Null: mail is not paced by destination. */
    private readonly gate: Pick<DestinationGate, 'pass' | 'settled'> | null = null,
  ) {}

  /**
   * Claims messages of the workspace: of each class at most its `places`, and no more in all than the larger of them.
   * Returns how many, and when to check again.
   */
  async turn(workspaceId: number, places: ByClass): Promise<Turn> {
    const lease = this.shards.leaseOf(workspaceId);
    if (!lease) return { ...NOTHING, ...this.forget(workspaceId, 'when held') };
    const now = this.clock.now();
    const due = await this.stores.queue.nextDue(workspaceId);
    const turn = { ...NOTHING, transactionalAt: due.transactional ?? Infinity };
    const lanes = LANES.filter((lane) => (due[lane] ?? Infinity) <= now);
    if (lanes.length === 0) return { ...turn, ...this.rest(workspaceId, due, now) };
    const isBulkOnly = !lanes.includes('transactional');
    const most = isBulkOnly ? places.bulk : Math.max(places.transactional, places.bulk);
    if (most === 0) return turn;
    const rate = await accountRate(this.stores, workspaceId, now);
    const account = await this.account(workspaceId, lease, now);
    const allowed = account.window.allowance(rate.perMinute, now);
    if (allowed === 0) return { ...turn, nextCheck: { at: account.window.nextAt(rate.perMinute, now), kind: 'rate' } };
    const bulk = paceOf(rate, account.window, now);
    // Transactional mail that comes meanwhile is claimed at once.
    if (isBulkOnly && bulk.left === 0) return { ...turn, nextCheck: { at: bulk.nextAt, kind: 'turn' } };
    const plan = { rate, lanes, places, most: Math.min(most, allowed, isBulkOnly ? bulk.left : Infinity) };
    return { ...turn, ...(await this.claim(workspaceId, account, lease, { ...plan, bulk: bulk.left, now })) };
  }

  private async claim(workspaceId: number, account: Account, lease: ShardLease, plan: Plan): Promise<Claimed> {
    const { shares, cursor } = dealLanes(plan.lanes, plan.most, account.cursor);
    account.cursor = cursor;
    const platformDayCap = ((await this.stores.settings.get('warmup_cap')) ?? null) as number | null;
    let claimed = 0;
    let bulk = 0;
    // What has no room waits.
    let isTransactionalWaiting = shares.has('transactional') && plan.places.transactional === 0;
    for (const lane of LANES) {
      const share = shares.get(lane) ?? 0;
      const isBulk = lane !== 'transactional';
      // Beside a backlog of transactional mail they have their share; else their pace.
      const most = isTransactionalWaiting ? Infinity : plan.bulk - claimed;
      const limit = Math.min(share, isBulk ? Math.min(most, plan.places.bulk - bulk) : plan.places.transactional);
      const only = limit > 0 ? await this.passing(workspaceId, lane, limit, plan.now) : new Map<string, undefined>();
      if (only?.size === 0) continue;
      const result = await this.claimOrForget(workspaceId, only, {
        workspaceId,
        lane,
        limit,
        now: plan.now,
        leaseUntil: plan.now + HAND_OFF_LEASE,
        lease,
        day: wibDay(plan.now),
        workspaceDayCap: plan.rate.perDay,
        platformDayCap,
        only,
      });
      if (result.kind === 'fenced') {
        this.shards.lost(lease);
        return { ...this.forget(workspaceId, 'when held'), claimed, bulk };
      }
      account.window.note(result.claimed.length, plan.now);
      claimed += result.claimed.length;
      if (isBulk) bulk += result.claimed.length;
      else isTransactionalWaiting = result.claimed.length === limit;
      const dayEnd = dayEndOf(result.stop, platformDayCap, plan.now);
      if (dayEnd && 'kind' in dayEnd) return { ...this.forget(workspaceId, dayEnd), claimed, bulk };
      if (dayEnd) return { claimed, bulk, nextCheck: dayEnd };
    }
    return { claimed, bulk, nextCheck: 'now' };
  }

  /** What may go to its destination; null: all. */
  private async passing(workspaceId: number, lane: Lane, limit: number, now: number): Promise<Admitted | null> {
    return this.gate && this.gate.pass(workspaceId, lane, limit, now);
  }

  /**
   * A claim that failed may still have been committed, or may yet be. So the shard's lease is taken again before the
   * next claim: that write conflicts with the claim's own, so its result is settled in the store by then, and every
   * window is read again under the new epoch.
   */
  private async claimOrForget(
    workspaceId: number,
    passing: Admitted | null,
    request: ClaimRequest,
  ): Promise<ClaimResult> {
    try {
      const result = await this.stores.queue.claim(request);
      if (passing) await this.gate?.settled(passing, result.kind === 'claimed' ? result.claimed : []);
      return result;
    } catch (error) {
      if (passing) await this.gate?.settled(passing, null);
      this.shards.lost(request.lease);
      this.accounts.delete(workspaceId);
      throw error;
    }
  }

  private async account(workspaceId: number, { epoch }: ShardLease, now: number): Promise<Account> {
    const known = this.accounts.get(workspaceId);
    if (known?.epoch === epoch) return known;
    const limit = highestPerMinute((await this.stores.workspaces.get(workspaceId))?.rates ?? []);
    // A claim stamped later than that was made by a clock that was ahead.
    const recent = await this.stores.queue.recentClaims(workspaceId, now - RATE_WINDOW, limit, now + RATE_WINDOW);
    const account = { epoch, window: new RateWindow(RATE_WINDOW, recent), cursor: 0 };
    this.accounts.set(workspaceId, account);
    return account;
  }

  /**
   * Nothing is due: sleep until something is. A workspace without a queue is forgotten; the store remembers its claims.
   */
  private rest(workspaceId: number, due: Partial<Record<Lane, number>>, now: number): Claimed {
    const at = Math.min(...Object.values(due));
    if (at === Infinity) return this.forget(workspaceId, 'when woken');
    const nextCheck = { at, kind: 'turn' as const };
    return at > now + RATE_WINDOW ? this.forget(workspaceId, nextCheck) : { claimed: 0, bulk: 0, nextCheck };
  }

  /** Whether the minute or the day of the workspace is used up: a purchase or another rate gives it room again. */
  async isUsedUp(workspaceId: number, kind: 'rate' | 'day'): Promise<boolean> {
    const now = this.clock.now();
    const { perMinute, perDay } = await accountRate(this.stores, workspaceId, now);
    if (kind === 'rate') return this.accounts.get(workspaceId)?.window.allowance(perMinute, now) === 0;
    return perDay !== null && (await this.stores.queue.claimsOn(wibDay(now), workspaceId)) >= perDay;
  }

  /** Forgets all workspaces whose shards are no longer held. */
  forgetOthers(): void {
    for (const workspaceId of this.accounts.keys()) {
      if (!this.shards.leaseOf(workspaceId)) this.accounts.delete(workspaceId);
    }
  }

  private forget(workspaceId: number, nextCheck: NextCheck): Claimed {
    this.accounts.delete(workspaceId);
    return { claimed: 0, bulk: 0, nextCheck };
  }
}

/** When to check again once a daily cap is reached, of the platform or of the workspace; null while none is. */
function dayEndOf(
  stop: (ClaimResult & { kind: 'claimed' })['stop'],
  platformCap: number | null,
  now: number,
): Deferred | { platformCap: number; at: number } | null {
  if (stop !== 'workspace_day_cap' && stop !== 'platform_day_cap') return null;
  const at = nextWibMidnight(now);
  return platformCap !== null && stop === 'platform_day_cap' ? { platformCap, at } : { at, kind: 'day' };
}

/** How many mails of campaigns and journeys may be claimed now; when there is none, when the next may be. */
function paceOf(rate: SendRate, window: RateWindow, now: number): { left: number; nextAt: number } {
  const { spanMs, limit, perMinute } = bulkPace(rate);
  const allowed = window.allowance(perMinute, now);
  if (allowed === 0) return { left: 0, nextAt: window.nextAt(perMinute, now) };
  const { left, nextAt } = window.within(spanMs, limit, now);
  return { left: Math.min(left, allowed), nextAt };
}
