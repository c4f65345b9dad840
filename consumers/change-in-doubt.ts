import type { Outcome } from '../domain/messages/lifecycle';
import type { Message } from '../domain/messages/message';
import type { Stores } from '../stores/ports';
import { decideWith } from './outcome-change';

/** Whether the workspace wants a mail to be sent again when nobody knows whether it was taken. */
export const resendsInDoubt = async (
  workspaces: Pick<Stores['workspaces'], 'get'>,
  workspaceId: number,
): Promise<boolean> => (await workspaces.get(workspaceId))?.unconfirmed === 'resend';

/**
 * Changes a message by a rule that depends on this choice of its workspace. True when it was changed. Errors:
 * UnavailableError.
 */
export async function changeInDoubt(
  {
    messages,
    workspaces,
  }: { messages: Pick<Stores['messages'], 'get' | 'change'>; workspaces: Pick<Stores['workspaces'], 'get'> },
  id: string,
  rule: (message: Message, resend: boolean) => Outcome | null,
): Promise<boolean> {
  const known = await messages.get(id);
  if (!known) return false;
  const resend = await resendsInDoubt(workspaces, known.workspaceId);
  const { applied } = await messages.change(
    id,
    decideWith((message) => rule(message, resend)),
    known,
  );
  return applied;
}
