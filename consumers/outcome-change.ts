import type { Outcome } from '../domain/lifecycle';
import type { Message } from '../domain/message';
import type { MessageChange } from '../stores/ports/message-store';
import type { OutgoingRecord } from '../streams/records';

/** An outcome as one atomic store write: its ledger entries and events become records of the same commit. */
export function toChange(message: Message, outcome: Outcome): MessageChange {
  const { ledger, events, ...change } = outcome;
  const { id: messageId, workspaceId } = message;
  const records: OutgoingRecord[] = [
    // Back in the queue: its owner must learn of the new due time.
    ...(outcome.set.status === 'queued'
      ? [{ topic: 'messages.accepted' as const, key: String(workspaceId), value: { workspaceId, messageId } }]
      : []),
    ...ledger.map((value) => ({ topic: 'coins.entries' as const, key: String(workspaceId), value })),
    ...events.map(({ name, occurredAt, reason }) => ({
      topic: 'message.events' as const,
      key: messageId,
      value: {
        workspaceId,
        messageId,
        event: name,
        occurredAt,
        ...(reason === undefined ? {} : { reason }),
      },
    })),
  ];
  return { ...change, records };
}

/** A Decide that writes what a pure rule says. */
export const deciding =
  (rule: (message: Message) => Outcome | null) =>
  (message: Message): MessageChange | null => {
    const outcome = rule(message);
    return outcome && toChange(message, outcome);
  };
