import { ApiError } from '../../errors';
import { deleteContact as remove } from '../../../operations/contacts/change-contact';
import { found, pathId } from '../../path-id';
import { route } from '../../route';

/**
 * DELETE /contacts/{id}: permanent; anonymises the message history and does not suppress the address
 * (docs/contract.md#delete-a-contact).
 */
export const deleteContact = route({
  method: 'DELETE',
  path: '/contacts/:id',
  scope: 'manage_contacts',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    const contact = found(await stores.contacts.get(workspace.id, pathId(params)));
    if (!(await remove({ stores }, contact))) throw new ApiError('not_found');
    return { status: 200, body: { deleted: true } };
  },
});
