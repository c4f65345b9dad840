import { cancelled } from '../../../domain/messages/lifecycle';
import { texts } from '../../../domain/texts';
import type { Message } from '../../../domain/messages/message';
import type { MessageChange } from '../../../stores/ports/message-store';
import { readUuid } from '../../../schemas/rules/ids';
import { ApiError } from '../../errors';
import { found } from '../../path-id';
import { presentMessage } from '../../../schemas/responses/present-message';
import { route } from '../../route';

/**
 * DELETE /messages/{id}: takes back a message that was never claimed; answers it. Once it was claimed 409; to cancel it
 * again changes nothing (docs/contract.md#cancel-a-message). Of a claim and a cancellation at once one wins, by the
 * compare-and-set of both.
 */
export const cancelMessage = route({
  method: 'DELETE',
  path: '/messages/:id',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores, clock }, { workspace, params }) {
    const id = found(readUuid(params['id'] ?? ''));
    const message = found(await stores.messages.get(id));
    found(message.workspaceId === workspace.id ? message : null);
    const after = found((await stores.messages.change(id, cancelAt(clock.now()))).message);
    if (!isCancelled(after)) throw new ApiError('message_too_late');
    return { status: 200, body: presentMessage(after) };
  },
});

const cancelAt =
  (now: number) =>
  (message: Message): MessageChange | null => {
    const outcome = cancelled(message, now);
    return outcome && { set: outcome.set, at: outcome.at, dropAttachments: true, records: [] };
  };

const isCancelled = ({ status, failedReason }: Message): boolean =>
  status === 'failed' && failedReason === texts.cancelled;
