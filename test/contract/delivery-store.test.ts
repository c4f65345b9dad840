import { describe } from '@jest/globals';
import { describeFanOut } from './delivery-store/fan-out.cases';
import { describeResults } from './delivery-store/results.cases';
import { onEveryDriver } from './drivers';
import type { OpenEngine } from './harness';

/** The DeliveryStore behaviour required of every driver. */
function describeDeliveryStore(open: OpenEngine): void {
  describe('DeliveryStore', () => {
    describeFanOut(open);
    describeResults(open);
  });
}

onEveryDriver(describeDeliveryStore);
