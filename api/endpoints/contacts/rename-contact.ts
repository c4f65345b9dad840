import { renameContactRules, renameContactShape } from '../../../schemas/contacts/rename-contact';
import { renameContact as rename } from '../../../operations/contacts/change-contact';
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
  async handle(deps, { workspace, params, fields }) {
    const { name } = await fields();
    const contact = found(await deps.stores.contacts.get(workspace.id, pathId(params)));
    const renamed = name === undefined ? contact : found(await rename(deps, contact, name));
    return { status: 200, body: presentContact(renamed) };
  },
});
