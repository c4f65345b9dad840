import { found, pathId } from '../../path-id';
import { presentContact } from '../../../schemas/responses/present-contact';
import { route } from '../../route';

/** GET /contacts/{id}. */
export const showContact = route({
  method: 'GET',
  path: '/contacts/:id',
  scope: 'manage_contacts',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    const contact = found(await stores.contacts.get(workspace.id, pathId(params)));
    return { status: 200, body: presentContact(contact) };
  },
});
