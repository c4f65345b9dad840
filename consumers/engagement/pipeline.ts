import type { Stores } from '../../stores/ports';
import type { Result } from '../../streams/results';
import { dead, drop, ok } from '../../streams/results';
import { readSignal } from './steps/read-signal';
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

  return async function engage(value) {
    const read = readSignal(value);
    if (read.signal === null) return dead(read.fault);

    const message = await stores.messages.get(read.signal.messageId);
    if (!message) return drop('no such message');

    const signal = read.signal.kind === 'unsubscribe' ? await unsubscribe(read.signal, message) : read.signal;
    if (!signal) return drop('the recipient subscribed again since');

    return (await store(signal, message)) === 'stored' ? ok : drop('stored before');
  };
}
