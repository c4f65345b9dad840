import { WakeCampaigns } from '../../consumers/campaigns/wake-campaigns';
import type { Activity } from '../../lib/activity';
import type { Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import type { Engine } from '../../stores/ports/engine';
import { wrapEngine } from '../../stores/wrappers/wrap-engine';

/** The same engine; a change that ends a message of a campaign wakes the due work that drives the campaign. */
export function wakingEngine(
  engine: Engine,
  deps: { clock: Clock; activity: Activity; logger: Pick<Logger, 'error'> },
): Engine {
  const campaigns = new WakeCampaigns({ ...deps, taskWakes: engine.stores.taskWakes });
  const waking = wrapEngine(engine, {
    messages: {
      change:
        (change) =>
        async (...of) => {
          const changed = await change(...of);
          if (changed.applied && changed.message) campaigns.note(changed.message);
          return changed;
        },
    },
  });
  return {
    ...waking,
    close: async () => {
      await campaigns.close();
      await waking.close();
    },
  };
}
