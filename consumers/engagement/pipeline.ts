import type { Signal } from '../../domain/signal';
import type { Stores } from '../../stores/ports';
import type { Result } from '../../streams/results';
import { dead, drop, ok } from '../../streams/results';
import { readSignal, type ReadSignal } from './steps/read-signal';
import { storeSignal } from './steps/store-signal';
import { unsubscribeContact } from './steps/unsubscribe-contact';

/**
 * What becomes of one signal. The signal is stored last, together with its event: a crash before that repeats the way
 * and changes nothing twice, and one after it leaves nothing undone.
 */
export function engagementPipeline(
  stores: Pick<Stores, 'messages' | 'contacts' | 'signals'>,
): (value: unknown) => Promise<Result> {
  const unsubscribe = unsubscribeContact(stores.contacts);
  const store = storeSignal(stores.signals);

  /** With the place of its destination; none where the list does not have it any more. */
  async function placed({ signal, url }: ReadSignal): Promise<Signal> {
    if (url === null) return signal;
    const link = (await stores.messages.links(signal.messageId)).indexOf(url);
    return link < 0 ? signal : { ...signal, link };
  }

  return async function engage(value) {
    const read = readSignal(value);
    if (read.signal === null) return dead(read.fault);

    const message = await stores.messages.get(read.signal.messageId);
    if (!message) return drop('no such message');

    const given = await placed(read);
    const signal = given.kind === 'unsubscribe' ? await unsubscribe(given, message) : given;
    if (!signal) return drop('the recipient subscribed again since');

    return (await store(signal, message)) === 'stored' ? ok : drop('stored before');
  };
}
