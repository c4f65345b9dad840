import { acceptWhole, type AcceptWholeDeps } from '../../../operations/messages/accept/accept-whole';
import type { Accepted } from '../../../operations/messages/accept/accept-messages';
import type { PreparedMessage } from '../../../operations/messages/accept/accept-request';
import { Refusal } from '../../../operations/messages/accept/refusal';
import { DAY, type Clock } from '../../../lib/clock';
import type { KeyOf } from './relay-keys';

/** How long a mail that comes again is the same one, ms (docs/contract.md#relay-repeats). */
const SAME_FOR = DAY;

export type AcceptOnceDeps = AcceptWholeDeps;

/** A message for one recipient, and how it is known again; `key` null: it never is. */
export interface RelayedMessage {
  message: Omit<PreparedMessage, 'idempotencyKey'>;
  key: KeyOf | null;
}

/**
 * Accepts the messages of a mail in one commit, each once: one that was accepted before answers its id. With `expires`
 * only for a day: then the key of an older message is followed to the next one, for which there is a further commit.
 * Rejects when a store does. Then nothing was made, or what was made is found again by its key.
 */
export async function acceptOnce(
  deps: AcceptOnceDeps,
  messages: readonly RelayedMessage[],
  expires: boolean,
): Promise<(Accepted | Refusal)[]> {
  const results: (Accepted | Refusal)[] = [];
  const firsts: (string | null)[] = messages.map(() => null);
  const isOld = (result: Accepted | Refusal): result is Accepted =>
    !(result instanceof Refusal) && result.kind === 'duplicate' && isOlderThanADay(result.id, deps.clock);
  for (let open = [...messages.keys()]; open.length > 0;) {
    const judged = await acceptWhole(
      deps,
      open.map((n) => ({ ...messages[n]!.message, idempotencyKey: messages[n]!.key?.(firsts[n]!) ?? null })),
    );
    const old: number[] = [];
    open.forEach((n, i) => {
      const result = (results[n] = judged[i]!);
      if (!expires || !isOld(result)) return;
      firsts[n] = result.id;
      old.push(n);
    });
    open = old;
  }
  return results;
}

/** A UUIDv7 begins with its time. */
const isOlderThanADay = (id: string, clock: Clock): boolean =>
  parseInt(id.replace('-', '').slice(0, 12), 16) + SAME_FOR <= clock.now();
