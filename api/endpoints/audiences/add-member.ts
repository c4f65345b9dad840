import { newMemberRules, newMemberShape } from '../../../schemas/contacts/new-member';
import { ApiError } from '../../errors';
import { addMember as add } from '../../../operations/contacts/change-audience';
import { newContact } from '../../../operations/contacts/new-contact';
import { pathId } from '../../path-id';
import { presentContact } from '../../../schemas/responses/present-contact';
import { route } from '../../route';

/**
 * POST /audiences/{id}/contacts: 201 with the contact that joined, 200 if it was already a member
 * (docs/contract.md#members-of-an-audience). A `contact_id` of another account is unknown, like one that does not
 * exist: 404. The same holds for the id of the audience.
 */
export const addMember = route({
  method: 'POST',
  path: '/audiences/:id/contacts',
  scope: 'manage_contacts',
  emailModule: 'required',
  body: { shape: newMemberShape, rules: newMemberRules },
  async handle(deps, { workspace, params, fields }) {
    const id = pathId(params);
    const body = await fields();
    const member =
      body.contact_id === undefined ? { contact: newContact(deps, workspace, body) } : { contactId: body.contact_id };
    const audience = { workspaceId: workspace.id, id };
    const outcome = await add(deps.stores.audiences, audience, member, deps.clock.now());
    if (!('contact' in outcome)) throw new ApiError('not_found');
    return { status: outcome.kind === 'joined' ? 201 : 200, body: presentContact(outcome.contact) };
  },
});
