import { newContactRules, newContactShape } from '../../../schemas/contacts/new-contact';
import { addContact } from '../../../operations/contacts/change-contact';
import { newContact } from '../../../operations/contacts/new-contact';
import { presentContact } from '../../../schemas/responses/present-contact';
import { found } from '../../path-id';
import { route } from '../../route';

/**
 * POST /contacts: 201 with the contact of the address; an existing one is returned unchanged
 * (docs/contract.md#create-a-contact).
 */
export const createContact = route({
  method: 'POST',
  path: '/contacts',
  scope: 'manage_contacts',
  emailModule: 'required',
  body: { shape: newContactShape, rules: newContactRules },
  async handle(deps, { workspace, fields }) {
    const contact = await addContact(deps, newContact(deps, workspace, await fields()), { source: 'api', by: null });
    return { status: 201, body: presentContact(found(contact)) };
  },
});
