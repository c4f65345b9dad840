import { expect, test } from '@jest/globals';
import { checkJourneys } from '../../../operations/doctor/check-journeys';
import { POST_WORK, RESUME_WORK, STEP_WORK } from '../../../domain/journeys/enrollment';
import { MINUTE } from '../../../lib/clock';
import type { Stores } from '../../../stores/ports';
import { TEST_START } from '../../support/clock';

const check = (due: Record<string, number>, running = true) =>
  checkJourneys(
    { dueTasks: { nextDue: async (kind: string) => due[kind] ?? null } } as unknown as Pick<Stores, 'dueTasks'>,
    TEST_START,
    running,
  );

test('journeys with nothing to do need no line', async () => {
  expect(await check({})).toEqual([]);
});

test('what is due for less than five minutes is in time', async () => {
  const detail = 'no journey work is overdue';
  expect(await check({ [STEP_WORK]: TEST_START - 5 * MINUTE })).toEqual([{ check: 'journeys', status: 'ok', detail }]);
});

test('what is due for longer is named, and wrong while the service runs', async () => {
  const [step, resume, post] = [12, 9, 6].map((minutes) => TEST_START - minutes * MINUTE);
  const due = { [STEP_WORK]: step!, [RESUME_WORK]: resume!, [POST_WORK]: post! };
  const detail =
    'overdue: steps for 12m, resumed journeys for 9m, webhook steps for 6m; a process with the role journeys must be running';
  expect(await check(due)).toEqual([{ check: 'journeys', status: 'wrong', detail }]);
  expect(await check(due, false)).toEqual([{ check: 'journeys', status: 'note', detail }]);
});
