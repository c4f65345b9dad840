import type { Message } from '../../domain/message';
import type { Changed, Decide, MessageChange } from '../ports/message-store';

/** A change that came too late carries the message as it stands; null when there is none. */
export type Applied = { applied: true } | { applied: false; current: Message | null };

/** Writes a change if the message still has the version it was decided on. */
export type ApplyChange = (decidedOn: Message, change: MessageChange) => Promise<Applied>;

/** MessageStore.change of every driver: read, decide, compare and set; decided again on what somebody else wrote in between. */
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
      // What the caller knew may be old: only the message as it stands can say no.
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
