import { DUE_KINDS, DUE_WORK } from '../../schemas/due-work/table';
import { MINUTE } from '../../lib/clock';
import { formatDuration } from '../../lib/duration';
import type { Stores } from '../../stores/ports';
import type { Check } from './check';

/** A hundred thousand steps may be due in one minute, ms. */
const LATE = 5 * MINUTE;
const KINDS = DUE_KINDS.filter((kind) => DUE_WORK[kind].role === 'journeys');

/** Tells whether what journeys have to do is done in time. None when they have nothing to do. */
export async function checkJourneys(
  { dueTasks }: Pick<Stores, 'dueTasks'>,
  now: number,
  running: boolean,
): Promise<Check[]> {
  const next = await Promise.all(
    KINDS.map(async (kind) => ({ name: DUE_WORK[kind].name, at: await dueTasks.nextDue(kind) })),
  );
  const waiting = next.flatMap(({ name, at }) => (at === null ? [] : [{ name, at }]));
  if (waiting.length === 0) return [];
  const late = waiting.filter(({ at }) => at < now - LATE);
  if (late.length === 0) return [{ check: 'journeys', status: 'ok', detail: 'no journey work is overdue' }];
  const named = late.map(({ name, at }) => `${name} for ${formatDuration(now - at)}`).join(', ');
  const detail = `overdue: ${named}; a process with the role journeys must be running`;
  return [{ check: 'journeys', status: running ? 'wrong' : 'note', detail }];
}
