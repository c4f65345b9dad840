import { found, pathId } from '../../path-id';
import { presentContact } from '../../presenters/contact';
import { route } from '../../route';

/**
 * POST /contacts/{id}/unsubscribe: answers the contact; repeating changes nothing, and one that bounced or complained stays so
 * (DESIGN section 6). No event: that tells of the link in an email (spec section 6).
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
