import { describe } from '@jest/globals';
import { describeCancel } from './due-tasks/cancel.cases';
import { describeClaim } from './due-tasks/claim.cases';
import { describeFinish } from './due-tasks/finish.cases';
import { describeGivenUp } from './due-tasks/given-up.cases';
import { describeLanes } from './due-tasks/lanes.cases';
import { describeSchedule } from './due-tasks/schedule.cases';
import { onEveryDriver } from './drivers';
import type { OpenEngine } from './harness';

/** The DueTasks behaviour required of every driver. */
function describeDueTasks(open: OpenEngine): void {
  describe('DueTasks', () => {
    describeSchedule(open);
    describeClaim(open);
    describeFinish(open);
    describeGivenUp(open);
    describeCancel(open);
    describeLanes(open);
  });
}

onEveryDriver(describeDueTasks);
