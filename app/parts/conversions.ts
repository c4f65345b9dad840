import { createConversionsConsumer } from '../../consumers/conversions';
import { createSettling } from '../../consumers/conversions/settle-work';
import type { Services } from '../services';
import { groupPart } from './groups';
import type { Part } from './part';

/** The group that links sales to clicks, and the due work that ends their wait. */
export function conversionsParts(services: Services): Part[] {
  const { engine, clock, activity, logger } = services;
  const { stores, log } = engine;
  const settling = createSettling({ stores, log, clock, activity, logger });
  return [
    groupPart(services, createConversionsConsumer({ stores })),
    {
      name: 'conversions',
      start: async () => settling.start(),
      stop: () => settling.stop(),
      isIdle: () => settling.isIdle(),
      nextDue: () => settling.nextDue(),
    },
  ];
}
