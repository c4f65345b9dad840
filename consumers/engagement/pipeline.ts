import type { Signal } from '../../domain/signal';
import type { Stores } from '../../stores/ports';
import type { Result } from '../../streams/results';
import type { HitRecord } from '../../streams/record-values';
import { drop, ok } from '../../streams/results';
import { storeSignal } from './steps/store-signal';
import { unsubscribeContact } from './steps/unsubscribe-contact';

/**
 * What becomes of one signal. The signal is stored last, together with its event: a crash before that repeats the way
 * and changes nothing twice, and one after it leaves nothing undone.
 */
export function engagementPipeline(
  stores: Pick<Stores, 'messages' | 'contacts' | 'signals'>,
): (hit: HitRecord) => Promise<Result> {
  const unsubscribe = unsubscribeContact(stores.contacts);
  const store = storeSignal(stores.signals);

  /** With the place of its destination; none where the list does not have it any more. */
  async function placed({ id, messageId, kind, at, link: known, url }: HitRecord): Promise<Signal> {
    const signal = { id, messageId, kind, at, link: known };
    if (url === undefined) return signal;
    const link = (await stores.messages.links(signal.messageId)).indexOf(url);
    return link < 0 ? signal : { ...signal, link };
  }

  return async function engage(hit) {
    const message = await stores.messages.get(hit.messageId);
    if (!message) return drop('no such message');

    const given = await placed(hit);
    const signal = given.kind === 'unsubscribe' ? await unsubscribe(given, message) : given;
    if (!signal) return drop('the recipient subscribed again since');

    return (await store(signal, message)) === 'stored' ? ok : drop('stored before');
  };
}
