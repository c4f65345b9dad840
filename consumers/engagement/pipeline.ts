import { isActivity, isAtDelivery, reasonOfRequest } from '../../domain/engagement/machine';
import type { NewHit } from '../../domain/engagement/signal';
import type { Stores } from '../../stores/ports';
import type { Result } from '../../streams/results';
import type { HitRecord } from '../../streams/record-values';
import { drop, ok } from '../../streams/results';
import { deliveredAt, flagAtDelivery } from '../flag-at-delivery';
import { notInStore } from '../not-in-store';
import { storeSignal } from './steps/store-signal';
import { unsubscribeContact } from './steps/unsubscribe-contact';

export interface EngagementOptions {
  /** False in the sandbox, where a report comes at once, so that a newcomer's own click counts. */
  flagsAtDelivery: boolean;
}

/**
 * Handles one signal. The signal is stored last, together with its event. After a crash before that, all steps run
 * again and change nothing twice; after a crash later, at most the time of the delivery report is compared once more.
 */
export function engagementPipeline(
  stores: Pick<Stores, 'messages' | 'contacts' | 'signals'>,
  { flagsAtDelivery }: EngagementOptions,
): (hit: HitRecord) => Promise<Result> {
  const unsubscribe = unsubscribeContact(stores.contacts);
  const store = storeSignal(stores.signals);
  const flag = flagAtDelivery(stores);

  return async function engage(hit) {
    const message = await stores.messages.get(hit.messageId);
    if (!message) return notInStore;

    const { id, messageId, kind, at, link, client } = hit;
    const arrived: NewHit = { id, messageId, kind, at, link, client, machine: reasonOfRequest(kind, hit) };
    const signal = kind === 'unsubscribe' ? await unsubscribe(arrived, message) : arrived;
    if (!signal) return drop('the recipient has subscribed again');

    const isTimed = flagsAtDelivery && isActivity(signal.kind);
    const reported = isTimed ? await deliveredAt(stores.messages, message.id) : null;
    const isEarly = reported !== null && isAtDelivery(signal.at, reported);
    const judged = isEarly ? { ...signal, machine: signal.machine ?? ('delivery' as const) } : signal;
    const outcome = await store(judged, message);
    // A hit that is stored already may be from before a crash, and before the report: it was stored without this
    // reason.
    if (isTimed && (reported === null || (isEarly && outcome === 'exists')))
      await flag(message.id, message.workspaceId);
    return outcome === 'stored' ? ok : drop('already stored');
  };
}
