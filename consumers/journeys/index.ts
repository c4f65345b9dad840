import { ok } from '../../streams/results';
import type { Consumer } from '../consumer';
import { takeEvent, takeSale, type GoalDeps } from './goals';

export interface JourneysConsumerDeps extends GoalDeps {
  /** Called when steps may have become due. */
  wakeSteps: () => void;
}

/** Enough to share commits. */
const CONCURRENCY = 64;

/** Takes opens, clicks and linked sales as goals of journeys. A new enrollment wakes the steps. */
export function createJourneysConsumer(deps: JourneysConsumerDeps): Consumer<'journeys'> {
  return {
    group: 'journeys',
    concurrency: CONCURRENCY,
    handle: async ({ value }) => {
      if ('event' in value) return takeEvent(deps.stores, value);
      if ('kind' in value) return takeSale(deps, value);
      deps.wakeSteps();
      return ok;
    },
  };
}
