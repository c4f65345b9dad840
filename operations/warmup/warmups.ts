import { SEEN_AFTER } from '../../domain/destinations/destination-state';
import { bodySetBack, record, type RecordEntry } from '../../domain/records/record';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { stateId, warmupSetBack, type Warmup, type WarmupState } from '../../domain/warmup/warmup-state';
import { MINUTE, type Clock } from '../../lib/clock';
import type { RecordStore } from '../../stores/ports/record-store';

/** Should a process be killed between a change and its announcement, the others see it after this, ms of real time. */
const READ_ANYWAY = MINUTE;

export const WARMUPS = record<Warmup, 'workspaceId'>('warmup');
/** One entry, whose version counts the changes of warm-ups. */
export const WARMUP_CHANGES = record<Readonly<Record<string, never>>>('warmup_change');
const ALL = 'all';
/** It stays until the warm-up ends, or what has reached its goal would begin again. */
export const WARMUP_STATES = record<WarmupState>('warmup_state', { setBack: bodySetBack(warmupSetBack) });

/**
 * Has every process read the warm-ups again, after one was begun or ended. Of several at once one is enough, since its
 * version comes after the changes of all.
 */
export const announceWarmups = (records: Pick<RecordStore, 'change'>, now: number): Promise<unknown> =>
  records.change(WARMUP_CHANGES, ALL, () => ({}), { now });

/** Begins the warm-up of a domain at `now`, ms. Null if it is warmed up already. */
export const beginWarmup = (
  records: Pick<RecordStore, 'add'>,
  { domain, workspaceId }: Pick<SendingDomain, 'domain' | 'workspaceId'>,
  body: Warmup,
  now: number,
): Promise<RecordEntry<Warmup> | null> => records.add(WARMUPS, { id: domain, workspaceId, body }, now);

/** What the warm-up of a domain has come to, by destination. */
export const listWarmupStates = (
  records: Pick<RecordStore, 'list'>,
  domain: string,
  now: number,
): Promise<RecordEntry<WarmupState>[]> => records.list(WARMUP_STATES, { prefix: stateId(domain, '') }, now);

/**
 * The warm-ups of all domains, as this process last read them. They may be many and stay for months, so they are read
 * when one was begun or ended.
 */
export class Warmups {
  private byDomain = new Map<number, RecordEntry<Warmup>>();
  private lookedAt = -Infinity;
  private readAt = -Infinity;
  /** Of the announcement before the last read. */
  private version = 0;
  private looking: Promise<void> | null = null;

  constructor(
    private readonly deps: { records: Pick<RecordStore, 'get' | 'list'>; clock: Clock },
    /** ms. */
    private readonly realTime: () => number = () => performance.now(),
  ) {}

  /** Looks for changes unless that was just done. Rejects with the errors of the store. */
  async refresh(): Promise<void> {
    if (this.realTime() - this.lookedAt < SEEN_AFTER) return;
    this.looking ??= this.look().finally(() => (this.looking = null));
    await this.looking;
  }

  /** True when no domain is warmed up. */
  get isNone(): boolean {
    return this.byDomain.size === 0;
  }

  of(domainId: number): RecordEntry<Warmup> | null {
    return this.byDomain.get(domainId) ?? null;
  }

  /** The sending servers that get the volume of a plan and nothing besides. */
  async servers(): Promise<ReadonlySet<string>> {
    await this.refresh();
    return new Set([...this.byDomain.values()].flatMap(({ body: { server } }) => (server === null ? [] : [server])));
  }

  private async look(): Promise<void> {
    const now = this.realTime();
    const version = (await this.deps.records.get(WARMUP_CHANGES, ALL, this.deps.clock.now()))?.version ?? 0;
    if (version !== this.version || now - this.readAt >= READ_ANYWAY) {
      const all = await this.deps.records.list(WARMUPS, {}, this.deps.clock.now());
      this.byDomain = new Map(all.map((entry) => [entry.body.domainId, entry]));
      this.version = version;
      this.readAt = now;
    }
    this.lookedAt = now;
  }
}
