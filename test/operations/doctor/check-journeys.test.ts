import { expect, test } from '@jest/globals';
import { checkJourneys } from '../../../operations/doctor/check-journeys';
import { POST_WORK, STEP_WORK } from '../../../domain/journeys/enrollment';
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
  const due = { [STEP_WORK]: TEST_START - 12 * MINUTE, [POST_WORK]: TEST_START - 6 * MINUTE };
  const detail = 'overdue: steps for 12m, webhook steps for 6m; a process with the role journeys must be running';
  expect(await check(due)).toEqual([{ check: 'journeys', status: 'wrong', detail }]);
  expect(await check(due, false)).toEqual([{ check: 'journeys', status: 'note', detail }]);
});
