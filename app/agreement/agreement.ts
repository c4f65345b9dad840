import { hostname } from 'node:os';
import type { Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { withTimeout } from '../../lib/with-timeout';
import { WorkerLoop } from '../../lib/worker-loop';
import type { Health } from '../parts/health';
import type { Part } from '../parts/part';
import { differencesBetween, type AgreedProcess, type AgreedSettings } from './agreed-settings';
import type { ProcessRegister } from './process-register';
import { CLOCK_LIMIT, CLOCK_WARNING, type StoreClock } from './store-clock';

/** Real time between two comparisons. */
const LOOK_EVERY = 5_000;
/** Real time between two looks at the marker of the topics. */
const TOPICS_EVERY = 30_000;
const STOP_GRACE = 1_000;
/** A clock is noted again in the store when it moved this far, ms. */
const SKEW_STEP = 1_000;

export interface AgreementDeps {
  register: ProcessRegister;
  storeClock: StoreClock;
  /** The name of this process's lease now. */
  leaseName: () => string;
  roles: readonly string[];
  settings: () => AgreedSettings;
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
export function agreementPart(deps: AgreementDeps): Part {
  const { register, clock, health, logger, every = LOOK_EVERY } = deps;
  const agreement = new Agreement(deps);
  const repeat = (wait: number, work: () => Promise<void>, fault: string): WorkerLoop => {
    const turn = async (): Promise<number> => {
      await work();
      return wait;
    };
    return new WorkerLoop({
      turn,
      onError: (err) => logger.warn({ err }, fault),
      backoff: { first: wait, longest: wait },
    });
  };
  const loops = [
    repeat(every, () => agreement.look(), 'the processes could not be compared; trying again'),
    // Apart, since Kafka may be gone for long.
    repeat(TOPICS_EVERY, () => agreement.lookAtTopics(), 'the marker of the topics could not be read; trying again'),
  ];
  health.watch('settings', async () => agreement.differences.join('. ') || null, 'missed');
  health.watch('topics', async () => agreement.topics);
  return {
    name: 'agreement of processes',
    start: async () => {
      await agreement.look();
      loops[0]?.start(every);
      loops[1]?.start(TOPICS_EVERY);
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

class Agreement {
  differences: string[] = [];
  topics: string | null = null;
  /** What was last logged, by kind. */
  private readonly logged = new Map<string, string>();

  constructor(private readonly deps: AgreementDeps) {}

  async look(): Promise<void> {
    const { register, storeClock, clock, leaseName } = this.deps;
    await storeClock.measure();
    const living = await register.living(clock.now());
    living.set(leaseName(), await this.note(living));
    this.differences = differencesBetween([...living.values()]);
    this.log('settings', this.differences.join('. '), 'processes of this installation have different settings');
    const clockFault = storeClock.fault(CLOCK_WARNING);
    // Without the figure, which changes all the time.
    this.log('clock', clockFault?.replace(/[\d.]+ s/, 'some seconds') ?? '', clockFault ?? '');
  }

  async lookAtTopics(): Promise<void> {
    this.topics = await this.deps.topicsFault();
    this.log('topics', this.topics ?? '', 'the topics belong to another installation');
  }

  /** Writes the entry of this process when it is missing or has changed, and returns it. */
  private async note(living: ReadonlyMap<string, AgreedProcess>): Promise<AgreedProcess> {
    const { register, storeClock, clock, leaseName, roles, settings } = this.deps;
    const lease = leaseName();
    const known = living.get(lease);
    const skew = Math.round(storeClock.skew());
    if (known && Math.abs(known.skew - skew) < SKEW_STEP) return known;
    const name = `${roles.join(',')} on ${hostname()}, process ${process.pid}`;
    const entry = { name, settings: settings(), skew };
    await register.put(lease, entry, clock.now());
    return entry;
  }

  /** Logs when something begins, changes or ends. */
  private log(kind: string, fault: string, text: string): void {
    if ((this.logged.get(kind) ?? '') === fault) return;
    this.logged.set(kind, fault);
    const { logger } = this.deps;
    if (fault === '') logger.info({ about: kind }, 'what was wrong between this process and the others is right again');
    else logger.warn({ about: kind, difference: fault }, text);
  }
}
