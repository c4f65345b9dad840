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
    const contact = await stores.contacts.raiseStatus(workspace.id, pathId(params), 'unsubscribed', clock.now());
    return { status: 200, body: presentContact(found(contact)) };
  },
});
