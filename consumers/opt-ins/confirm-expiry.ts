import { CONFIRM_EXPIRY } from '../../domain/contacts/opt-in';
import { SECOND, type Clock } from '../../lib/clock';
import type { Stores } from '../../stores/ports';
import type { DueWork } from '../timers/tasks/due-work';

/** Ends memberships that were not confirmed in time (docs/contract.md#double-opt-in). */
export function confirmExpiry({ stores, clock }: { stores: Pick<Stores, 'optIns'>; clock: Clock }): DueWork {
  return {
    kind: CONFIRM_EXPIRY,
    lease: 30 * SECOND,
    atOnce: 50,
    handle: async ({ id, workspaceId }) => {
      const [audienceId, contactId] = id.split(':').map(Number) as [number, number];
      const until = await stores.optIns.expire({ workspaceId, audienceId, contactId }, clock.now());
      // It was asked again meanwhile.
      return until === null ? { kind: 'done' } : { kind: 'again', next: { dueAt: until } };
    },
  };
}
