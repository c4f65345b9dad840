import { expect, it } from '@jest/globals';
import { createTimers } from '../../../consumers/timers';
import { Activity } from '../../../lib/activity';
import { DAY, HOUR } from '../../../lib/clock';
import { openTemporary } from '../../contract/embedded/open';
import { freshEngine } from '../../contract/harness';
import { eventually } from '../../contract/helpers';
import { TEST_START as NOW } from '../../support/clock';
import { anyTask } from '../../support/due-work';
import { noReport } from '../../support/due-work';
import { PATIENCE } from '../../support/limits';

const subject = freshEngine(openTemporary);

it('due work of a kind that this version does not know is reported, each hour, and stays', async () => {
  const { stores, log, clock } = subject;
  const facts = { id: '1', workspaceId: 1, lane: '', dueAt: NOW, payload: {} };
  await stores.dueTasks.schedule([
    anyTask({ ...facts, kind: 'from-tomorrow' }),
    anyTask({ ...facts, kind: 'webhook' }),
  ]);
  const reported: object[] = [];
  const logger = { error: (what: object) => void reported.push(what), warn() {}, info() {}, debug() {} };
  const activity = new Activity();
  const timers = createTimers({
    stores,
    log,
    clock,
    activity,
    evidenceWait: HOUR,
    deliveriesKept: 30 * DAY,
    logger,
    work: noReport,
  });
  timers.start();
  await eventually(async () => expect(reported).toEqual([{ kinds: ['from-tomorrow'] }]));
  await activity.quiet(AbortSignal.timeout(PATIENCE));
  clock.advance(HOUR);
  await eventually(async () => expect(reported).toHaveLength(2));
  await timers.stop();
  expect(await stores.dueTasks.nextDue('from-tomorrow')).toBe(NOW);
});
