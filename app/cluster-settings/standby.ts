import type { Logger } from '../../lib/logger';
import { WorkerLoop } from '../../lib/worker-loop';
import type { KafkaLog } from '../../streams/drivers/kafka/kafka-log';
import type { Part } from '../core/part';

/** Real time between two looks. They ask no server. */
const LOOK_EVERY = 500;

export interface StandbyDeps {
  /** Why this process may not act, as a sentence; null while it may. The first that is not null counts. */
  reasons: readonly (() => string | null)[];
  log: Pick<KafkaLog, 'suspend' | 'resume'>;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Real time between two looks, for tests. */
  every?: number;
}

/**
 * Keeps a process that may not act out of the way of the others: it leaves every consumer group, so that they get its
 * partitions and shards, and joins again once it may act
 * (docs/decisions/0058-a-process-on-standby-leaves-its-groups.md). Work in progress is finished and committed first.
 */
export class Standby {
  private left = false;
  private readonly loop: WorkerLoop;

  constructor(private readonly deps: StandbyDeps) {
    const { logger, every = LOOK_EVERY } = deps;
    this.loop = new WorkerLoop({
      iterate: async () => {
        await this.look();
        return every;
      },
      onError: (err) => logger.warn({ err }, 'the consumer groups could not be left; trying again'),
      backoff: { first: every, longest: every },
    });
  }

  /** Why this process may not act, as a sentence; null while it may. */
  reason(): string | null {
    for (const reason of this.deps.reasons) {
      const found = reason();
      if (found !== null) return found;
    }
    return null;
  }

  /** True while this process may act. */
  mayAct(): boolean {
    return this.reason() === null;
  }

  /** Starts before the first group is joined, and looks until it stops. */
  part(): Part {
    return {
      name: 'standby',
      start: async () => {
        await this.look();
        this.loop.start(this.deps.every ?? LOOK_EVERY);
      },
      stop: () => this.loop.stop(),
    };
  }

  private async look(): Promise<void> {
    const { log, logger } = this.deps;
    const reason = this.reason();
    if ((reason !== null) === this.left) return;
    this.left = reason !== null;
    if (reason === null) {
      log.resume();
      logger.info({}, 'this process is active again and joins its consumer groups');
    } else {
      logger.warn({ reason }, 'this process is on standby and leaves its consumer groups');
      await log.suspend();
      logger.info({}, 'this process has left its consumer groups');
    }
  }
}

/** A reason that counts once `isHeld` has been false for `patience` ms of real time, in every look since. */
export function lostFor(
  patience: number,
  isHeld: () => boolean,
  now: () => number = () => performance.now(),
): () => string | null {
  let since: number | null = null;
  return () => {
    since = isHeld() ? null : (since ?? now());
    if (since === null || now() - since < patience) return null;
    return 'the lease of this process has expired and cannot be renewed: MongoDB is not reachable';
  };
}
