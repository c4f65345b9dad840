import { cancelMessage as cancel } from '../../../operations/messages/cancel-message';
import { readUuid } from '../../../schemas/rules/ids';
import { ApiError } from '../../errors';
import { found } from '../../path-id';
import { presentMessage } from '../../../schemas/responses/present-message';
import { route } from '../../route';

/** DELETE /messages/{id}: answers the message; once it was claimed 409 (docs/contract.md#cancel-a-message). */
export const cancelMessage = route({
  method: 'DELETE',
  path: '/messages/:id',
  scope: 'send_email',
  emailModule: 'required',
  async handle(deps, { workspace, params }) {
    const outcome = await cancel(deps, workspace.id, found(readUuid(params['id'] ?? '')));
    if (outcome === 'unknown') throw new ApiError('not_found');
    if (outcome === 'too_late') throw new ApiError('message_too_late');
    return { status: 200, body: presentMessage(outcome) };
  },
});
