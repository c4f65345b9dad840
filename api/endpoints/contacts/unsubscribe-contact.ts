import { unsubscribeContact as unsubscribe } from '../../../operations/contacts/change-contact';
import { found, pathId } from '../../path-id';
import { presentContact } from '../../../schemas/responses/present-contact';
import { route } from '../../route';

/**
 * POST /contacts/{id}/unsubscribe: returns the contact. Repeating it changes nothing, and a bounced or complained
 * contact keeps its status (docs/contract.md#unsubscribe-a-contact). It creates no event: that event is for the link in
 * an email (docs/contract.md#events).
 */
export const unsubscribeContact = route({
  method: 'POST',
  path: '/contacts/:id/unsubscribe',
  scope: 'manage_contacts',
  emailModule: 'required',
  async handle({ stores, clock }, { workspace, params }) {
    const contact = found(await stores.contacts.get(workspace.id, pathId(params)));
    return { status: 200, body: presentContact(found(await unsubscribe(stores.contacts, contact, clock.now()))) };
  },
});
