import type { Stores } from '../../stores/ports';
import type { DueTask } from '../../stores/ports/due-tasks';
import { at } from '../contract/helpers';
import { anyTask } from '../support/due-work';

const KIND = 'plans';

/** Tasks of some lanes, half of them given up: more than any query may look at to answer little. */
export async function fillDueTasks({ dueTasks }: Stores, now: number, count: number): Promise<void> {
  const tasks = Array.from({ length: 2 * count }, (_, n) => aTask(`fill ${n}`, `lane ${n % 3}`, now - count + n));
  await dueTasks.schedule(tasks);
  const held = await dueTasks.claim({ kind: KIND, now, leaseUntil: now + count, limit: count });
  for (const task of held) await dueTasks.giveUp(task, 'no', now);
}

/** Calls every member of DueTasks once. */
export async function exerciseDueTasks({ dueTasks }: Stores, now: number): Promise<void> {
  const lane = 'lane x';
  await dueTasks.schedule(['a', 'b', 'c', 'd'].map((id) => aTask(id, lane, now)));
  const request = { kind: KIND, lane, now, leaseUntil: now + 1, limit: 3 };
  const held = await dueTasks.claim(request);
  await dueTasks.claim({ kind: KIND, now, leaseUntil: now + 1, limit: 1 });
  await dueTasks.finish(at(held, 0));
  await dueTasks.finish(at(held, 1), { dueAt: now + 1 });
  await dueTasks.giveUp(at(held, 2), 'no', now);
  await dueTasks.lanesDue(KIND, now, null, 2);
  await dueTasks.lanesDue(KIND, now, 'lane 0', 2);
  await dueTasks.nextDue(KIND);
  await dueTasks.kinds();
  await dueTasks.givenUp(KIND, null, 3);
  await dueTasks.givenUp(KIND, 'c', 3);
  await dueTasks.redrive({ kind: KIND, id: at(held, 2).id }, { dueAt: now });
  await dueTasks.cancel(KIND, { id: 'a' });
  await dueTasks.cancel(KIND, { lane });
}

const aTask = (id: string, lane: string, dueAt: number): DueTask =>
  anyTask({ kind: KIND, id, workspaceId: 1, lane, dueAt, payload: {} });
