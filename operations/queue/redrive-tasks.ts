import type { DueTaskKey, DueTasks } from '../../stores/ports/due-tasks';
import type { Progress } from '../definition';

/** Tasks re-driven at once: they share commits. */
const AT_ONCE = 50;

/** Makes tasks that were given up due at once; `now` says when, ms. Tells those that were not given up apart. */
export async function redriveTasks(
  dueTasks: Pick<DueTasks, 'redrive'>,
  tasks: readonly DueTaskKey[],
  now: () => number,
  progress: Progress,
): Promise<{ done: DueTaskKey[]; unknown: DueTaskKey[] }> {
  const done: DueTaskKey[] = [];
  const unknown: DueTaskKey[] = [];
  try {
    for (let from = 0; from < tasks.length; from += AT_ONCE) {
      const some = tasks.slice(from, from + AT_ONCE);
      const answers = await Promise.all(some.map((key) => dueTasks.redrive(key, { dueAt: now() })));
      some.forEach((key, n) => (answers[n] ? done : unknown).push(key));
      progress.step(some.length);
    }
  } finally {
    progress.done();
  }
  return { done, unknown };
}
