import { SEEN_AFTER } from '../../domain/destinations/destination-state';
import type { RecordEntry } from '../../domain/people/records';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { stateId, type Warmup } from '../../domain/warmup/warmup-state';
import { MINUTE, type Clock } from '../../lib/clock';
import type { RecordStore } from '../../stores/ports/record-store';

/** Warm-ups in one read. There are fewer destinations in any rules. */
const PAGE = 1_000;
/** Should a process be killed between a change and its announcement, the others see it after this, ms of real time. */
const READ_ANYWAY = MINUTE;
/** The id of the only entry of its kind. */
const ALL = 'all';

/**
 * Has every process read the warm-ups again, after one was begun or ended. Of several at once one is enough, since its
 * version comes after the changes of all.
 */
export async function announceWarmups(
  records: Pick<RecordStore, 'get' | 'add' | 'change'>,
  now: number,
): Promise<void> {
  const before = await records.get('warmup_change', ALL, now);
  const entry = { kind: 'warmup_change', id: ALL, expiresAt: null, body: {} } as const;
  if (before) await records.change({ ...entry, version: before.version });
  else await records.add({ ...entry, user: null, workspaceId: null }, now);
}

/** Begins the warm-up of a domain at `now`, ms. False if it is warmed up already. */
export const beginWarmup = (
  records: Pick<RecordStore, 'add'>,
  { domain, workspaceId }: Pick<SendingDomain, 'domain' | 'workspaceId'>,
  body: Warmup,
  now: number,
): Promise<boolean> => records.add({ kind: 'warmup', id: domain, user: null, workspaceId, expiresAt: null, body }, now);

/** What the warm-up of a domain has come to, by destination. */
export async function listWarmupStates(
  records: Pick<RecordStore, 'list'>,
  domain: string,
  now: number,
): Promise<RecordEntry<'warmup_state'>[]> {
  const prefix = stateId(domain, '');
  const listed = await records.list('warmup_state', {}, { after: prefix, limit: PAGE, now });
  return listed.filter(({ id }) => id.startsWith(prefix));
}

/**
 * The warm-ups of all domains, as this process last read them. They may be many and stay for months, so they are read
 * when one was begun or ended.
 */
export class Warmups {
  private byDomain = new Map<number, RecordEntry<'warmup'>>();
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

  of(domainId: number): RecordEntry<'warmup'> | null {
    return this.byDomain.get(domainId) ?? null;
  }

  /** The sending servers that get the volume of a plan and nothing besides. */
  async servers(): Promise<ReadonlySet<string>> {
    await this.refresh();
    return new Set([...this.byDomain.values()].flatMap(({ body: { server } }) => (server === null ? [] : [server])));
  }

  private async look(): Promise<void> {
    const now = this.realTime();
    const version = (await this.deps.records.get('warmup_change', ALL, this.deps.clock.now()))?.version ?? 0;
    if (version !== this.version || now - this.readAt >= READ_ANYWAY) {
      this.byDomain = new Map((await this.read()).map((entry) => [entry.body.domainId, entry]));
      this.version = version;
      this.readAt = now;
    }
    this.lookedAt = now;
  }

  private async read(): Promise<RecordEntry<'warmup'>[]> {
    const { records, clock } = this.deps;
    const found: RecordEntry<'warmup'>[] = [];
    for (;;) {
      const after = found.at(-1)?.id ?? '';
      const page = await records.list('warmup', {}, { after, limit: PAGE, now: clock.now() });
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }
}
