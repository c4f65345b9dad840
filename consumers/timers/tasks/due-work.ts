import type { Clock } from '../../../lib/clock';
import type { Logger } from '../../../lib/logger';
import type { ClaimedTask, DueTasks, NextTurn } from '../../../stores/ports/due-tasks';
import type { TimerTask } from '../timer-task';

/** The result of one attempt: the task is done, due again, or given up with a reason until it is driven again. */
export type DueOutcome = { kind: 'done' } | { kind: 'again'; next: NextTurn } | { kind: 'given up'; reason: string };

/** One kind of due work, and its handler. */
export interface DueWork {
  kind: string;
  /** How long one attempt may take, ms. After that another worker may start the next. */
  lease: number;
  /** Tasks processed at the same time. */
  atOnce: number;
  /**
   * Runs one attempt. It was counted when it was claimed, so the handler also sees attempts that a worker died in. When
   * the handler throws, the task stays as it is until its lease ends.
   */
  handle(task: ClaimedTask): Promise<DueOutcome>;
}

export interface DueWorkDeps {
  dueTasks: Pick<DueTasks, 'claim' | 'finish' | 'giveUp' | 'nextDue'>;
  clock: Clock;
  logger: Pick<Logger, 'error'>;
}

/** Processes the due tasks of one kind (see DueTasks). */
export function dueWork(deps: DueWorkDeps, work: DueWork): TimerTask {
  const { dueTasks, clock } = deps;
  const { kind, lease, atOnce } = work;
  return {
    name: `due work ${kind}`,
    nextAt: () => dueTasks.nextDue(kind),
    run: async (now) => {
      // A claim is a write, and usually nothing is due.
      const next = await dueTasks.nextDue(kind);
      if (next === null || next > now) return false;
      const claimed = await dueTasks.claim({ kind, now, leaseUntil: clock.now() + lease, limit: atOnce });
      await Promise.all(claimed.map((task) => attempt(deps, work, task)));
      return claimed.length === atOnce;
    },
  };
}

async function attempt({ dueTasks, clock, logger }: DueWorkDeps, work: DueWork, task: ClaimedTask): Promise<void> {
  try {
    const outcome = await work.handle(task);
    if (outcome.kind === 'given up') await dueTasks.giveUp(task, outcome.reason, clock.now());
    else await dueTasks.finish(task, outcome.kind === 'again' ? outcome.next : undefined);
  } catch (error) {
    const { kind, id, attempt: n } = task;
    logger.error({ kind, id, attempt: n, err: error }, 'due work failed; trying again when its lease ends');
  }
}
