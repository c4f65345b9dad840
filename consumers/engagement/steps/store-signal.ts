import type { Message } from '../../../domain/messages/message';
import type { NewHit, Signal } from '../../../domain/engagement/signal';
import type { SignalOutcome, SignalStore } from '../../../stores/ports/signal-store';
import type { OutgoingRecord } from '../../../streams/records';

/**
 * Stores the signal and emits its event in the same commit, once for each id. A hit on the hidden link is no event.
 *
 * "A click also counts as an open" (docs/contract.md#open-pixel): code that counts opens must count clicks too, as the
 * roll-ups do (see rollUpChanges). A click emits no `open` event: that event means the open was observed
 * (docs/contract.md#events). A receiver of `click` already knows everything. A second event would only double every
 * click, and the open when the image did load.
 */
export function storeSignal(signals: Pick<SignalStore, 'store'>) {
  return async function store(signal: NewHit, message: Message): Promise<SignalOutcome> {
    const { kind } = signal;
    const events = kind === 'hidden' ? [] : [eventOf({ ...signal, kind }, message)];
    return signals.store(signal, message.workspaceId, events);
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
      key: signal.id,
      ...(signal.link === null ? {} : { link: signal.link }),
    },
  };
}
