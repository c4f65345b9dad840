import type { Message } from '../../../domain/message';
import type { Signal } from '../../../domain/signal';
import type { SignalOutcome, SignalStore } from '../../../stores/ports/signal-store';
import type { OutgoingRecord } from '../../../streams/records';

/**
 * Keeps the signal and emits its event in the same commit, once for each id.
 *
 * "A click also counts as an open" (docs/contract.md#open-pixel): whoever counts opens counts clicks, too, as the
 * roll-ups do (see rollUpChanges). It is no `open` event: that one says the mail was seen to be opened
 * (docs/contract.md#events), and a receiver of the `click` knows all there is to know; a second event would only double
 * every click, and the open where the image did load.
 */
export function storeSignal(signals: Pick<SignalStore, 'store'>) {
  return async function store(signal: Signal, message: Message): Promise<SignalOutcome> {
    return signals.store(signal, message.workspaceId, [eventOf(signal, message)]);
  };
}

function eventOf(signal: Signal, message: Message): OutgoingRecord {
  return {
    topic: 'message.events',
    key: message.id,
    value: {
      workspaceId: message.workspaceId,
      messageId: message.id,
      event: signal.kind,
      occurredAt: signal.at,
      ...(signal.link === null ? {} : { link: signal.link }),
    },
  };
}
