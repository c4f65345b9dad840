import { cancelled } from '../../domain/messages/lifecycle';
import type { Message } from '../../domain/messages/message';
import { texts } from '../../domain/texts';
import type { Clock } from '../../lib/clock';
import type { MessageChange, MessageStore } from '../../stores/ports/message-store';

interface CancelDeps {
  stores: { messages: Pick<MessageStore, 'get' | 'change'> };
  clock: Clock;
}

/**
 * Takes back a message of a workspace that was never claimed; returns it (docs/contract.md#cancel-a-message). To cancel
 * it again changes nothing. Of a claim and a cancellation at once one wins, by the compare-and-set of both.
 */
export async function cancelMessage(
  { stores, clock }: CancelDeps,
  workspaceId: number,
  id: string,
): Promise<Message | 'unknown' | 'too_late'> {
  const message = await stores.messages.get(id);
  if (message?.workspaceId !== workspaceId) return 'unknown';
  const { message: after } = await stores.messages.change(id, cancelAt(clock.now()));
  if (!after) return 'unknown';
  return after.status === 'failed' && after.failedReason === texts.cancelled ? after : 'too_late';
}

const cancelAt =
  (now: number) =>
  (message: Message): MessageChange | null => {
    const outcome = cancelled(message, now);
    return outcome && { set: outcome.set, at: outcome.at, dropAttachments: true, records: [] };
  };
