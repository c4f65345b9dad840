import { hostname } from 'node:os';
import type { Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { withTimeout } from '../../lib/with-timeout';
import { WorkerLoop } from '../../lib/worker-loop';
import type { Health } from '../core/health';
import type { Part } from '../core/part';
import type { Lease } from '../../stores/ports/lease-store';
import {
  differencesBetween,
  type AgreedProcess,
  type AgreedSettings,
} from '../../operations/processes/agreed-settings';
import type { PartitionKeeper } from './partition-keeper';
import type { ProcessRegister, RegisterView } from '../../operations/processes/process-register';
import { StableFor } from './stable-for';
import { VERSION } from '../../lib/version';
import { CLOCK_LIMIT, CLOCK_WARNING, type StoreClock } from '../../operations/processes/store-clock';
import type { LogFindings } from '../../operations/processes/agreed-settings';
import type { TopicKeeper } from './topic-keeper';
import { describeVacant, vacantShards } from '../../operations/processes/vacant-shards';

/** Real time between two comparisons, and between two looks at the topics. */
const LOOK_EVERY = 5_000;
/** Real time between two looks at the marker of the topics. */
const MARKER_EVERY = 30_000;
const STOP_GRACE = 1_000;
const NOTHING: LogFindings = { topics: [], partitions: [] };
/** A clock is noted again in the store when it moved this far, ms. */
const SKEW_STEP = 1_000;

/** What processes compare, as of one moment; `time`: that of the store, ms. */
type Shared = RegisterView & { time: number };

export interface ClusterSettingsDeps {
  register: ProcessRegister;
  storeClock: StoreClock;
  /** Reads what the processes compare. */
  shared: () => Promise<Shared>;
  keeper: Pick<TopicKeeper, 'look' | 'found'>;
  partitions: Pick<PartitionKeeper, 'look'>;
  /** Tells this process its place among those that live, from 0. */
  takeTurns: (turn: { index: number; of: number }) => void;
  /** Told of the processes that live. */
  onCompared: (processes: readonly AgreedProcess[]) => void;
  /** How many shards of workspaces there are. */
  shards: () => number;
  /** The name of this process's lease now. */
  leaseName: () => string;
  roles: readonly string[];
  settings: () => AgreedSettings;
  /** The schema of the data that this release writes. */
  schema: number;
  /** Why the topics are not those of this installation; null when they are. */
  topicsFault: () => Promise<string | null>;
  clock: Clock;
  health: Pick<Health, 'watch'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Real time between two comparisons, for tests. */
  every?: number;
}

/**
 * Compares this process with the others of its installation through the store: settings that must agree, its clock, and
 * whose topics it reads. What is wrong is logged once, and `/readyz` shows it for as long as it lasts.
 */
export function clusterSettingsPart(deps: ClusterSettingsDeps): Part {
  const { register, clock, health, logger, every = LOOK_EVERY } = deps;
  const settings = new ClusterSettings(deps);
  const repeat = (wait: number, work: () => Promise<void>, fault: string): WorkerLoop => {
    const iterate = async (): Promise<number> => {
      await work();
      return wait;
    };
    return new WorkerLoop({
      iterate,
      onError: (err) => logger.warn({ err }, fault),
      backoff: { first: wait, longest: wait },
    });
  };
  const loops = [
    repeat(every, () => settings.compare(), 'the processes could not be compared; trying again'),
    // Apart, since Kafka may be gone for long.
    repeat(MARKER_EVERY, () => settings.checkMarker(), 'the topic marker could not be read; trying again'),
    repeat(every, () => settings.keepTopics(), 'the topics could not be checked; trying again'),
    // Apart, since work in progress is finished first.
    repeat(every, () => settings.followPartitions(), 'partition changes could not be followed; trying again'),
  ];
  health.watch('settings', async () => settings.differences.join('. ') || null, 'missed');
  health.watch('shards', async () => settings.vacant, 'missed');
  health.watch('partitions', async () => settings.found.partitions.join('. ') || null, 'missed');
  health.watch('topics', async () => settings.found.topics.join(' ') || null, 'missed');
  health.watch('topics', async () => settings.foreign);
  return {
    name: 'agreement of processes',
    start: async () => {
      await settings.compare();
      loops[0]?.start(every);
      loops[1]?.start(MARKER_EVERY);
      loops[2]?.start(every);
      loops[3]?.start(every);
    },
    stop: async () => {
      // A server that is slow or gone must not hold up the shutdown. An entry that stays ends with its lease.
      const stopped = Promise.all(loops.map((loop) => loop.stop()));
      const withdrawn = stopped.then(() => register.put(deps.leaseName(), null, clock.now()));
      await withTimeout(withdrawn, STOP_GRACE).catch(() => undefined);
    },
  };
}

/** Makes `/readyz` tell of a wrong clock: degraded beyond 5 s, not ready beyond 30 s. */
export function watchClock(health: Pick<Health, 'watch'>, storeClock: StoreClock): void {
  health.watch('clock', async () => storeClock.fault(CLOCK_LIMIT));
  health.watch('clock', async () => (storeClock.isRight() ? storeClock.fault(CLOCK_WARNING) : null), 'missed');
}

class ClusterSettings {
  differences: string[] = [];
  /** Why the topics are not ours. */
  foreign: string | null = null;
  /** Which shards have no owner, as a sentence. */
  vacant: string | null = null;
  /** What the owner of the topics found, in whichever process it is. */
  found: LogFindings = NOTHING;
  private shared: Shared | null = null;
  private leases: Lease[] = [];
  private readonly vacancies = new StableFor<number>();
  /** What was last logged, by kind. */
  private readonly logged = new Map<string, string>();

  constructor(private readonly deps: ClusterSettingsDeps) {}

  async compare(): Promise<void> {
    const { register, storeClock, clock, leaseName } = this.deps;
    const shards = this.deps.shards();
    const shared = await this.readShared();
    const now = clock.now();
    const { living, leases } = await register.look(now, shared);
    this.leases = leases;
    living.set(leaseName(), await this.note(living));
    const names = [...living.keys()].sort();
    this.deps.takeTurns({ index: names.indexOf(leaseName()), of: names.length });
    const processes = [...living.values()];
    this.deps.onCompared(processes);
    this.differences = differencesBetween(processes);
    this.found = processes.find(({ found }) => found !== undefined)?.found ?? NOTHING;
    this.vacant = describeVacant(this.vacancies.note(vacantShards(leases, shards, now)), shards);
    this.log('settings', this.differences.join('. '), 'processes of this installation have different settings');
    this.log('shards', this.vacant ?? '', 'workspace shards without a working owner');
    this.log('partitions', this.found.partitions.join('. '), 'partitions without a working consumer');
    this.log('missing topics', this.found.topics.join(' '), 'topics differ from the expected ones');
    const clockFault = storeClock.fault(CLOCK_WARNING);
    // Without the figure, which changes all the time.
    this.log('clock', clockFault?.replace(/[\d.]+ s/, 'a few seconds') ?? '', clockFault ?? '');
  }

  async followPartitions(): Promise<void> {
    if (this.shared) await this.deps.partitions.look(this.shared.settings);
  }

  async checkMarker(): Promise<void> {
    this.foreign = await this.deps.topicsFault();
    this.log('topics', this.foreign ?? '', 'the topics belong to another installation');
  }

  async keepTopics(): Promise<void> {
    // Topics of another installation are its own business.
    if (this.foreign === null) await this.deps.keeper.look(this.leases);
  }

  /** One request, which tells the time too. */
  private async readShared(): Promise<Shared> {
    await this.deps.storeClock.measure(async () => (this.shared = await this.deps.shared()).time);
    return this.shared!;
  }

  /** Writes the entry of this process when it is missing or has changed, and returns it. */
  private async note(living: ReadonlyMap<string, AgreedProcess>): Promise<AgreedProcess> {
    const { register, storeClock, clock, leaseName, roles, settings, schema, keeper } = this.deps;
    const lease = leaseName();
    const known = living.get(lease);
    const skew = Math.round(storeClock.skew());
    const found = keeper.found ?? undefined;
    if (known && Math.abs(known.skew - skew) < SKEW_STEP && isSame(known.found, found)) return known;
    const name = `${roles.join(',')} on ${hostname()}, process ${process.pid}`;
    const entry = { name, settings: settings(), skew, release: VERSION, schema, ...(found && { found }) };
    await register.put(lease, entry, clock.now());
    return entry;
  }

  /** Logs when something begins, changes or ends. */
  private log(kind: string, fault: string, text: string): void {
    if ((this.logged.get(kind) ?? '') === fault) return;
    this.logged.set(kind, fault);
    const { logger } = this.deps;
    if (fault === '') logger.info({ about: kind }, 'the differences between this process and the others are resolved');
    else logger.warn({ about: kind, difference: fault }, text);
  }
}

const isSame = (one: LogFindings | undefined, other: LogFindings | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);
