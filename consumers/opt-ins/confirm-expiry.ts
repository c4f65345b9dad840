import type { Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import { done, type EachTask } from '../due-work/due-work';

/** Ends memberships that were not confirmed in time (docs/contract.md#double-opt-in). */
export const confirmExpiry = (deps: { stores: Pick<Stores, 'optIns'>; clock: Clock }): EachTask<'confirm-expiry'> => ({
  each: async ({ id, workspaceId }) => {
    const [audienceId, contactId] = id.split(':').map(Number) as [number, number];
    const until = await deps.stores.optIns.expire({ workspaceId, audienceId, contactId }, deps.clock.now());
    // It was asked again meanwhile.
    return until === null ? done : { kind: 'again', next: { dueAt: until } };
  },
});
