import type { Message } from '../../domain/messages/message';
import type { Changed, Decide, MessageChange } from '../ports/message-store';

/** A change that came too late carries the current message; null if there is none. */
export type Applied = { applied: true } | { applied: false; current: Message | null };

/** Writes a change if the message still has the version that the decision was based on. */
export type ApplyChange = (decidedOn: Message, change: MessageChange) => Promise<Applied>;

/**
 * MessageStore.change for every driver: read, decide, compare and set. If another writer came in between, decides again
 * on the new state.
 */
export async function decideChange(
  read: () => Promise<Message | null>,
  apply: ApplyChange,
  decide: Decide,
  known?: Message,
): Promise<Changed> {
  let message = known ?? (await read());
  let isKnown = known !== undefined;
  for (;;) {
    if (!message) return { applied: false, message };
    const change = decide(message);
    if (!change) {
      // The state from the caller may be stale: only the current state can confirm that nothing is to be changed.
      if (!isKnown) return { applied: false, message };
      message = await read();
      isKnown = false;
      continue;
    }
    const outcome = await apply(message, change);
    if (outcome.applied) return { applied: true, message: { ...message, ...change.set, version: message.version + 1 } };
    message = outcome.current;
    isKnown = false;
  }
}
