import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { replayRange, replayStep } from '../../operations/webhooks/redeliver';
import { done, type EachTask } from '../due-work/due-work';

/** Goes on with long replays, one step each time (see replay in operations/webhooks/redeliver). */
export const replayWork = ({
  stores,
  clock,
}: {
  stores: Pick<Stores, 'deliveries' | 'webhooks'>;
  clock: Clock;
}): EachTask<'webhook-replay'> => ({
  each: async ({ lane, payload }) => {
    const webhook = await stores.webhooks.get(Number(lane));
    if (!webhook?.isActive) return done;
    const step = await replayStep(stores, webhook, replayRange(payload), payload.afterId, clock.now());
    if (step.afterId === null) return done;
    return { kind: 'again', next: { dueAt: clock.now(), payload: { ...payload, afterId: step.afterId } } };
  },
});
