import { SECOND, type Clock } from '../../lib/clock';
import { isPremium } from '../../domain/coins';
import { dealLanes } from '../../domain/lanes';
import { LANES, type Lane } from '../../domain/message';
import { RateWindow } from '../../domain/rate-window';
import { HAND_OFF_LEASE } from '../../domain/retry-schedule';
import { RATE_WINDOW, sendRate, type SendRate } from '../../domain/send-rate';
import { nextWibMidnight, wibDay } from '../../domain/wib';
import type { Stores } from '../../stores/ports';
import type { ClaimResult } from '../../domain/claim';
import type { ClaimRequest, ShardLease } from '../../stores/ports/send-queue';
import type { Shards } from './shards';

export type PacerStores = Pick<Stores, 'queue' | 'coins' | 'settings'>;

interface Account {
  /** Of the shard's lease under which the window was read: another owner's claims in between are not in it. */
  epoch: number;
  window: RateWindow;
  /** Where the lanes' turns go on. */
  cursor: number;
}

/** A look at a time (ms). Paced: no new message brings it forward, since the rate or a day's cap is used up. */
export interface Deferred {
  at: number;
  /** A look for safety before that. */
  lookAt: number;
  paced: boolean;
}

/** When to look at a workspace again: later, at once, or only when it is woken. */
export type NextCheck = Deferred | 'now' | 'when woken';
interface Turn {
  claimed: number;
  again: NextCheck;
}

/** A paced workspace is looked at that often all the same, ms: a top-up or a new cap may have changed its rate. */
const LOOK_AGAIN = 5 * SECOND;

/**
 * Claims for one workspace at a time, within its rate, its day and the platform's
 * (docs/architecture.md#pacing-and-claim).
 */
export class Pacer {
  private readonly accounts = new Map<number, Account>();

  constructor(
    private readonly stores: PacerStores,
    private readonly shards: Shards,
    private readonly clock: Clock,
  ) {}

  /** Claims at most `quantum` messages of the workspace; answers how many, and when to come back. */
  async turn(workspaceId: number, quantum: number): Promise<Turn> {
    const lease = this.shards.leaseOf(workspaceId);
    if (!lease) return this.forget(workspaceId, 'when woken');
    const now = this.clock.now();
    const due = await this.stores.queue.nextDue(workspaceId);
    const lanes = LANES.filter((lane) => (due[lane] ?? Infinity) <= now);
    if (lanes.length === 0) return this.rest(workspaceId, due);
    const rate = sendRate(isPremium(await this.stores.coins.account(workspaceId), now));
    const account = await this.account(workspaceId, lease, now);
    const places = Math.min(quantum, account.window.allowance(rate.perMinute, now));
    if (places === 0) return { claimed: 0, again: paced(account.window.nextAt(rate.perMinute, now), now) };
    return this.claim(workspaceId, account, lease, { rate, lanes, places, now });
  }

  private async claim(
    workspaceId: number,
    account: Account,
    lease: ShardLease,
    plan: { rate: SendRate; lanes: Lane[]; places: number; now: number },
  ): Promise<Turn> {
    const { shares, cursor } = dealLanes(plan.lanes, plan.places, account.cursor);
    account.cursor = cursor;
    const platformDayCap = ((await this.stores.settings.get('warmup_cap')) ?? null) as number | null;
    let claimed = 0;
    for (const [lane, limit] of shares) {
      const result = await this.claimOrForget(workspaceId, {
        workspaceId,
        lane,
        limit,
        now: plan.now,
        leaseUntil: plan.now + HAND_OFF_LEASE,
        lease,
        day: wibDay(plan.now),
        workspaceDayCap: plan.rate.perDay,
        platformDayCap,
      });
      if (result.kind === 'fenced') {
        this.shards.lost(workspaceId);
        return this.forget(workspaceId, 'when woken');
      }
      account.window.note(result.claimed.length, plan.now);
      claimed += result.claimed.length;
      if (capReached(result)) return { claimed, again: paced(nextWibMidnight(plan.now), plan.now) };
    }
    return { claimed, again: 'now' };
  }

  /**
   * A claim that failed may still have been made, or be made yet. The shard's lease is taken again before the next: that write meets
   * the claim's own, so whatever it became is in the store by then, and every window is read again under the new epoch.
   */
  private async claimOrForget(workspaceId: number, request: ClaimRequest): Promise<ClaimResult> {
    try {
      return await this.stores.queue.claim(request);
    } catch (error) {
      this.shards.lost(workspaceId);
      this.accounts.delete(workspaceId);
      throw error;
    }
  }

  private async account(workspaceId: number, { epoch }: ShardLease, now: number): Promise<Account> {
    const known = this.accounts.get(workspaceId);
    if (known?.epoch === epoch) return known;
    const limit = sendRate(true).perMinute;
    const recent = await this.stores.queue.recentClaims(workspaceId, now - RATE_WINDOW, limit);
    const account = { epoch, window: new RateWindow(RATE_WINDOW, recent), cursor: 0 };
    this.accounts.set(workspaceId, account);
    return account;
  }

  /** Nothing due: sleep until something is. An account without a queue is forgotten; the store remembers its claims. */
  private rest(workspaceId: number, due: Partial<Record<Lane, number>>): Turn {
    const next = Math.min(...Object.values(due));
    if (next === Infinity) return this.forget(workspaceId, 'when woken');
    return { claimed: 0, again: { at: next, lookAt: next, paced: false } };
  }

  /** Nothing is kept of the workspaces that are no longer ours. */
  forgetOthers(): void {
    for (const workspaceId of this.accounts.keys()) {
      if (!this.shards.leaseOf(workspaceId)) this.accounts.delete(workspaceId);
    }
  }

  private forget(workspaceId: number, again: NextCheck): Turn {
    this.accounts.delete(workspaceId);
    return { claimed: 0, again };
  }
}

const paced = (at: number, now: number): Deferred => ({ at, lookAt: Math.min(at, now + LOOK_AGAIN), paced: true });

const capReached = (result: ClaimResult): boolean =>
  result.kind === 'claimed' && (result.stop === 'workspace_day_cap' || result.stop === 'platform_day_cap');
