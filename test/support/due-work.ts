import { DueRunner, type DueRunnerDeps } from '../../consumers/due-work/due-runner';
import type { DueHandler } from '../../consumers/due-work/due-work';
import { DUE_WORK, type DueWorkSpec } from '../../schemas/due-work/table';
import { Activity } from '../../lib/activity';
import type { WorkReport } from '../../lib/work-report';
import type { DueKind } from '../../stores/ports/due-payloads';
import type { DueTask, StoredTask } from '../../stores/ports/due-tasks';

/** For work whose results nobody asks for. */
export const noReport: WorkReport = { worked: () => undefined, failed: () => undefined };

/** A task of any kind and payload: the stores do not look into them. */
export const anyTask = (task: StoredTask): DueTask => task as DueTask;

/** A runner of a kind, what it logged, and a way to wait for it: until nothing is due and nothing is running. */
export function dueRunner<K extends DueKind>(
  {
    stores,
    clock,
    ...options
  }: Pick<DueRunnerDeps, 'stores' | 'clock'> & Partial<Pick<DueRunnerDeps, 'isTravelling' | 'work'>>,
  kind: K,
  handler: DueHandler<K>,
  spec: Partial<DueWorkSpec> = {},
) {
  const activity = new Activity();
  const errors: { err?: unknown }[] = [];
  const logger = { error: (facts: object) => void errors.push(facts) };
  const deps = { stores, clock, activity, logger, work: noReport, isTravelling: () => false, ...options };
  const runner = new DueRunner(deps, kind, { ...DUE_WORK[kind], ...spec }, handler);
  const idle = async (): Promise<void> => {
    for (;;) {
      await activity.quiet(new AbortController().signal);
      if ((await runner.isIdle()) && activity.isQuiet) return;
      await new Promise(setImmediate);
    }
  };
  return { runner, errors, activity, idle };
}

/** Runs everything of a kind that is due now. Rejects with the first error. */
export async function runDue<K extends DueKind>(
  parts: Pick<DueRunnerDeps, 'stores' | 'clock'>,
  kind: K,
  handler: DueHandler<K>,
): Promise<void> {
  const { runner, errors, idle } = dueRunner(parts, kind, handler);
  runner.start();
  await idle();
  await runner.stop();
  const [first] = errors;
  if (first) throw first.err instanceof Error ? first.err : new Error(JSON.stringify(first));
}
