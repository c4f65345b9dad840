import { readUuid } from '../../../schemas/rules/ids';
import { ApiError } from '../../errors';
import { presentMessage } from '../../../schemas/responses/present-message';
import { route } from '../../route';

/** GET /messages/{id}: 404 unless `{id}` is the UUID of a message of the account. */
export const showMessage = route({
  method: 'GET',
  path: '/messages/:id',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    const id = readUuid(params['id'] ?? '');
    const message = id && (await stores.messages.get(id));
    if (!message || message.workspaceId !== workspace.id) throw new ApiError('not_found');
    return { status: 200, body: presentMessage(message) };
  },
});
