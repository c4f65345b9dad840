import { AT_DELIVERY } from '../domain/engagement/machine';
import type { Stores } from '../stores/ports';

/** When the delivery report of a message came, ms; null before, and for a message that was not delivered. */
export async function deliveredAt(
  messages: Pick<Stores['messages'], 'history'>,
  messageId: string,
): Promise<number | null> {
  return (await messages.history(messageId)).find(({ status }) => status === 'delivered')?.at ?? null;
}

/**
 * Flags the opens and clicks that came with the delivery report (docs/machine-signals.md#reasons). May be repeated.
 * Both the group that stores hits and the one that applies reports call it after their own commit, so one of the two
 * sees what the other wrote.
 */
export function flagAtDelivery({ messages, signals }: Pick<Stores, 'messages' | 'signals'>) {
  return async function flag(messageId: string, workspaceId: number): Promise<void> {
    const hits = (await signals.ofMessage(messageId)).filter(({ kind }) => kind !== 'unsubscribe');
    if (hits.length === 0) return;
    const at = await deliveredAt(messages, messageId);
    if (at === null) return;
    const [from, to] = [at - AT_DELIVERY, at + AT_DELIVERY];
    const isNew = hits.some((hit) => hit.machine === null && hit.at >= from && hit.at <= to);
    if (isNew) await signals.flag(messageId, workspaceId, { from, to, reason: 'delivery' });
  };
}
