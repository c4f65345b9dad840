import { describe } from '@jest/globals';
import { onEveryDriver } from './drivers';
import type { OpenEngine } from './harness';
import { describeCaps } from './send-queue/caps.cases';
import { describeClaim } from './send-queue/claim.cases';
import { describeClaimsAtOnce } from './send-queue/claim-at-once.cases';
import { describeFencing } from './send-queue/fencing.cases';
import { describeHeld } from './send-queue/held.cases';
import { describeOrder } from './send-queue/order.cases';
import { describeRefusals } from './send-queue/refusals.cases';
import { describeScheduled } from './send-queue/scheduled.cases';
import { describeWaiting } from './send-queue/waiting.cases';

/** The SendQueue behaviour required of every driver. */
function describeSendQueue(open: OpenEngine): void {
  describe('SendQueue', () => {
    describeOrder(open);
    describeClaim(open);
    describeRefusals(open);
    describeFencing(open);
    describeClaimsAtOnce(open);
    describeCaps(open);
    describeWaiting(open);
    describeScheduled(open);
    describeHeld(open);
  });
}

onEveryDriver(describeSendQueue);
