import { newMemberRules, newMemberShape } from '../../../schemas/new-member';
import { ApiError } from '../../errors';
import { newContact } from '../../new-contact';
import { pathId } from '../../path-id';
import { presentContact } from '../../presenters/contact';
import { route } from '../../route';

/**
 * POST /audiences/{id}/contacts: 201 with the contact that joined, 200 when it was a member already
 * (docs/contract.md#members-of-an-audience). A `contact_id` of another account is as unknown as one that nobody has:
 * 404, like such an id of an audience.
 */
export const addMember = route({
  method: 'POST',
  path: '/audiences/:id/contacts',
  scope: 'manage_contacts',
  emailModule: 'required',
  body: { shape: newMemberShape, rules: newMemberRules },
  async handle(deps, { workspace, params, fields }) {
    const id = pathId(params);
    const given = await fields();
    const member =
      given.contact_id === undefined
        ? { contact: newContact(deps, workspace, given) }
        : { contactId: given.contact_id };
    const outcome = await deps.stores.audiences.join(workspace.id, id, member, deps.clock.now());
    if (!('contact' in outcome)) throw new ApiError('not_found');
    return { status: outcome.kind === 'joined' ? 201 : 200, body: presentContact(outcome.contact) };
  },
});
