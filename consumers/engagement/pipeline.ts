import type { Signal } from '../../domain/signal';
import type { Stores } from '../../stores/ports';
import type { Result } from '../../streams/results';
import type { HitRecord } from '../../streams/record-values';
import { drop, ok } from '../../streams/results';
import { notInStore } from '../not-in-store';
import { storeSignal } from './steps/store-signal';
import { unsubscribeContact } from './steps/unsubscribe-contact';

/**
 * Handles one signal. The signal is stored last, together with its event. After a crash before that, all steps run
 * again and change nothing twice; after a crash later, nothing is left to do.
 */
export function engagementPipeline(
  stores: Pick<Stores, 'messages' | 'contacts' | 'signals'>,
): (hit: HitRecord) => Promise<Result> {
  const unsubscribe = unsubscribeContact(stores.contacts);
  const store = storeSignal(stores.signals);

  /**
   * Adds the place of the destination in the list of links. Leaves it out when the list no longer contains the
   * destination.
   */
  async function placed({ id, messageId, kind, at, link: known, url }: HitRecord): Promise<Signal> {
    const signal = { id, messageId, kind, at, link: known };
    if (url === undefined) return signal;
    const link = (await stores.messages.links(signal.messageId)).indexOf(url);
    return link < 0 ? signal : { ...signal, link };
  }

  return async function engage(hit) {
    const message = await stores.messages.get(hit.messageId);
    if (!message) return notInStore;

    const located = await placed(hit);
    const signal = located.kind === 'unsubscribe' ? await unsubscribe(located, message) : located;
    if (!signal) return drop('the recipient has subscribed again');

    return (await store(signal, message)) === 'stored' ? ok : drop('already stored');
  };
}
