import { SECOND, type Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { readReplay, REPLAY_WORK, replayStep } from '../../commands/webhooks/redeliver';
import type { DueWork } from '../timers/tasks/due-work';

/** Goes on with long replays, one step each time (see replay in webhooks/redeliver). */
export function replayWork(stores: Pick<Stores, 'deliveries' | 'webhooks'>, clock: Clock): DueWork {
  return {
    kind: REPLAY_WORK,
    lease: 30 * SECOND,
    atOnce: 4,
    handle: async ({ lane, payload }) => {
      const webhook = await stores.webhooks.get(Number(lane));
      if (!webhook?.isActive) return { kind: 'done' };
      const { range, afterId } = readReplay(payload);
      const step = await replayStep(stores, webhook, range, afterId, clock.now());
      if (step.afterId === null) return { kind: 'done' };
      return { kind: 'again', next: { dueAt: clock.now(), payload: { ...payload, afterId: step.afterId } } };
    },
  };
}
