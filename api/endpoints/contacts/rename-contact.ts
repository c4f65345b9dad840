import { renameContactRules, renameContactShape } from '../../../schemas/contacts/rename-contact';
import { found, pathId } from '../../path-id';
import { presentContact } from '../../../schemas/responses/present-contact';
import { route } from '../../route';

/**
 * PATCH /contacts/{id}: changes only `name`, clears it if null, and nothing if it is absent; returns the contact
 * (docs/contract.md#rename-a-contact).
 */
export const renameContact = route({
  method: 'PATCH',
  path: '/contacts/:id',
  scope: 'manage_contacts',
  emailModule: 'required',
  body: { shape: renameContactShape, rules: renameContactRules },
  async handle({ stores, clock }, { workspace, params, fields }) {
    const { name } = await fields();
    const id = pathId(params);
    const contact =
      name === undefined
        ? await stores.contacts.get(workspace.id, id)
        : await stores.contacts.rename(workspace.id, id, name, clock.now());
    return { status: 200, body: presentContact(found(contact)) };
  },
});
