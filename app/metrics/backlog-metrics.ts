import { Counter, Gauge, type Registry } from 'prom-client';
import { listAlarms } from '../../operations/alarms/list-alarms';
import { listStates } from '../../operations/destinations/destination-states';
import { ALARM_KINDS } from '../../domain/alarms/alarm';
import { factorNow, isStopped } from '../../domain/destinations/destination-state';
import { LANES } from '../../domain/messages/message';
import { DUE_KINDS } from '../../schemas/due-work/table';
import { SHARD_LEASES, SHARD_TOPIC } from '../../domain/queue/shards';
import { withTimeout } from '../../lib/with-timeout';
import type { Engine } from '../../stores/ports/engine';
import type { GroupName } from '../../streams/topics';
import type { Role } from '../../operations/config/roles';
import type { ProcessLease } from '../core/process-lease';

/** Nothing is counted further than this: a longer queue shows as this long. */
export const COUNTED_UP_TO = 100_000;
/** Dead letters are read to be counted. */
const DEAD_LETTERS_UP_TO = 1_000;
/** A look at stores and log answers every scrape for this long, ms of real time. */
const FRESH = 5_000;
/** A scrape does not wait longer for a store that does not answer, ms of real time. */
const PATIENCE = 4_000;

export interface BacklogDeps {
  engine: Engine;
  clock: { now(): number };
  roles: readonly Role[];
  /** The groups that this process reads. */
  groups: () => readonly GroupName[];
  processLease: ProcessLease;
}

/** One thing to read; each of its gauges is missing while it cannot be read. */
interface Source {
  name: 'queue' | 'destinations' | 'alarms' | 'tasks' | 'dead_letters' | 'log' | 'leases';
  gauges: readonly Gauge[];
  read: () => Promise<void>;
}

/**
 * What waits in stores and log, read when it is scraped, at most every five seconds. What is the same seen from every
 * process is read by those with the role `timers`; each process reads the lag of its own groups and its own leases.
 */
export class BacklogMetrics {
  private readonly sources: readonly Source[];
  private readonly failed: Counter<'source'>;
  private last: { at: number; done: Promise<void> } | null = null;

  constructor(
    private readonly register: Registry,
    deps: BacklogDeps,
  ) {
    const whole = deps.roles.includes('timers');
    this.failed = new Counter({
      name: 'kurir_scrape_failures_total',
      registers: [register],
      labelNames: ['source'] as const,
      help: 'Reads for a scrape that failed or timed out; their gauges are missing from it.',
    });
    this.sources = [...(whole ? this.ofAll(deps) : []), this.lag(deps), this.leases(deps)];
    for (const { name } of this.sources) this.failed.inc({ source: name }, 0);
  }

  /** Brings the gauges up to date. Never rejects. */
  refresh(): Promise<void> {
    const now = performance.now();
    if (!this.last || now - this.last.at >= FRESH) this.last = { at: now, done: this.readAll() };
    return this.last.done;
  }

  private async readAll(): Promise<void> {
    await Promise.all(
      this.sources.map(async ({ name, gauges, read }) => {
        try {
          await withTimeout(read(), PATIENCE);
        } catch {
          this.failed.inc({ source: name });
          for (const gauge of gauges) gauge.reset();
        }
      }),
    );
  }

  private gauge<L extends string>(name: string, help: string, ...labelNames: L[]): Gauge<L> {
    return new Gauge({ name, help, labelNames, registers: [this.register] });
  }

  private ofAll(deps: BacklogDeps): Source[] {
    return [this.queue(deps), this.destinations(deps), this.alarms(deps), this.tasks(deps), this.deadLetters(deps)];
  }

  private queue({ engine, clock }: BacklogDeps): Source {
    const { backlogs } = engine.stores;
    const bound = `counted up to ${COUNTED_UP_TO}`;
    const due = this.gauge('kurir_queue_due_messages', `Queued messages that are due, ${bound}.`, 'lane');
    const later = this.gauge('kurir_queue_later_messages', `Queued messages that are not due yet, ${bound}.`, 'lane');
    const age = this.gauge(
      'kurir_queue_oldest_due_seconds',
      'How long the oldest due message of the lane has been due.',
      'lane',
    );
    const claimed = this.gauge('kurir_claimed_messages', 'Messages claimed and not yet past the fence.');
    const awaiting = this.gauge(
      'kurir_awaiting_report_messages',
      `Messages accepted by the sending server that await a delivery report, ${bound}.`,
    );
    const outbox = this.gauge('kurir_outbox_writes', `Writes whose records are not in the log yet, ${bound}.`);
    const outboxAge = this.gauge('kurir_outbox_oldest_seconds', 'How long the oldest of them has been waiting.');
    const read = async (): Promise<void> => {
      const now = clock.now();
      const [lanes, inHand, waiting, held] = await Promise.all([
        backlogs.lanes(now, COUNTED_UP_TO),
        backlogs.claimed(COUNTED_UP_TO),
        backlogs.awaitingReport(COUNTED_UP_TO),
        backlogs.outbox(COUNTED_UP_TO),
      ]);
      for (const lane of LANES) {
        due.set({ lane }, lanes[lane].due);
        later.set({ lane }, lanes[lane].later);
        age.set({ lane }, ageOf(lanes[lane].oldestDueAt, now));
      }
      claimed.set(inHand);
      awaiting.set(waiting);
      outbox.set(held.writes);
      outboxAge.set(ageOf(held.oldestAt, now));
    };
    return { name: 'queue', gauges: [due, later, age, claimed, awaiting, outbox, outboxAge], read };
  }

  private destinations({ engine, clock }: BacklogDeps): Source {
    const { records, backlogs } = engine.stores;
    const of = 'destination';
    const pace = this.gauge('kurir_destination_pace', 'Share of its limits that a slowed destination is given.', of);
    const stopped = this.gauge('kurir_destination_stopped', '1 while sending to the destination is stopped.', of);
    const waiting = this.gauge(
      'kurir_destination_waiting_messages',
      `Messages queued for it, counted up to ${COUNTED_UP_TO}.`,
      of,
    );
    const gauges = [pace, stopped, waiting];
    const read = async (): Promise<void> => {
      const now = clock.now();
      const states = (await listStates(records, now)).filter(({ workspaceId }) => workspaceId === null);
      const counts = await Promise.all(states.map(({ id }) => backlogs.held(id, now, COUNTED_UP_TO)));
      for (const gauge of gauges) gauge.reset();
      for (const [n, { id, body }] of states.entries()) {
        pace.set({ destination: id }, factorNow(body, now));
        stopped.set({ destination: id }, isStopped(body, now) ? 1 : 0);
        waiting.set({ destination: id }, counts[n] ?? 0);
      }
    };
    return { name: 'destinations', gauges, read };
  }

  private alarms({ engine, clock }: BacklogDeps): Source {
    const active = this.gauge('kurir_alarms', 'Active alarms.', 'kind');
    const read = async (): Promise<void> => {
      const found = await listAlarms(engine.stores.records, clock.now());
      for (const kind of ALARM_KINDS) {
        active.set({ kind }, found.filter(({ body }) => body.kind === kind && body.endedAt === null).length);
      }
    };
    return { name: 'alarms', gauges: [active], read };
  }

  private tasks({ engine, clock }: BacklogDeps): Source {
    const { backlogs } = engine.stores;
    const due = this.gauge(
      'kurir_due_tasks',
      `Due work that could be done now, counted up to ${COUNTED_UP_TO}.`,
      'kind',
    );
    const age = this.gauge('kurir_due_tasks_oldest_seconds', 'How long the oldest of it has been due.', 'kind');
    const givenUp = this.gauge('kurir_given_up_tasks', 'Failed jobs.', 'kind');
    const read = async (): Promise<void> => {
      const now = clock.now();
      const kinds = new Set([...DUE_KINDS, ...(await engine.stores.dueTasks.kinds())]);
      await Promise.all(
        [...kinds].map(async (kind) => {
          const found = await backlogs.tasks(kind, now, COUNTED_UP_TO);
          due.set({ kind }, found.due);
          age.set({ kind }, ageOf(found.oldestDueAt, now));
          givenUp.set({ kind }, found.givenUp);
        }),
      );
    };
    return { name: 'tasks', gauges: [due, age, givenUp], read };
  }

  private deadLetters({ engine }: BacklogDeps): Source {
    const letters = this.gauge(
      'kurir_dead_letters',
      `Records that could not be processed, up to ${DEAD_LETTERS_UP_TO}.`,
    );
    const read = async (): Promise<void> => letters.set((await engine.log.parked(DEAD_LETTERS_UP_TO)).length);
    return { name: 'dead_letters', gauges: [letters], read };
  }

  private lag({ engine, clock, groups }: BacklogDeps): Source {
    const lag = this.gauge('kurir_consumer_lag_records', 'Records that the group has not committed.', 'group');
    const behind = this.gauge('kurir_consumer_behind_seconds', 'The age of the oldest of them.', 'group');
    const read = async (): Promise<void> => {
      await Promise.all(
        groups().map(async (group) => {
          const since = await engine.log.behindSince(group);
          lag.set({ group }, since === null ? 0 : await engine.log.lag(group));
          behind.set({ group }, ageOf(since, clock.now()));
        }),
      );
    };
    return { name: 'log', gauges: [lag, behind], read };
  }

  private leases({ engine, clock, processLease, roles }: BacklogDeps): Source {
    const held = this.gauge('kurir_process_lease_held', '1 while this process is allowed to send.');
    const all = this.gauge('kurir_shard_leases', 'Number of workspace shards.');
    const ownShards = this.gauge('kurir_shard_leases_held', 'Shards owned by this process.');
    const read = async (): Promise<void> => {
      held.set(processLease.isLeaseValid(processLease.newToken()) ? 1 : 0);
      if (!roles.includes('throttle')) return;
      const now = clock.now();
      const own = (await engine.stores.leases.list()).filter(
        ({ name, owner, expiresAt }) =>
          name.startsWith(SHARD_LEASES) && owner === processLease.owner && expiresAt > now,
      );
      ownShards.set(own.length);
      all.set(engine.log.partitions().count(SHARD_TOPIC));
    };
    return { name: 'leases', gauges: [held, all, ownShards], read };
  }
}

/** Seconds since `at`; 0 for nothing. */
const ageOf = (at: number | null, now: number): number => (at === null ? 0 : Math.max(0, now - at) / 1_000);
