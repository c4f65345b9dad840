import { ApiError } from '../../errors';
import { removeMember as remove } from '../../../operations/contacts/change-audience';
import { pathId } from '../../path-id';
import { route } from '../../route';

/**
 * DELETE /audiences/{id}/contacts/{contact_id}: 404 when the contact is not a member
 * (docs/contract.md#members-of-an-audience). The contact itself stays.
 */
export const removeMember = route({
  method: 'DELETE',
  path: '/audiences/:id/contacts/:contact_id',
  scope: 'manage_contacts',
  emailModule: 'required',
  async handle({ stores, clock }, { workspace, params }) {
    const audience = { workspaceId: workspace.id, id: pathId(params) };
    if (!(await remove(stores.audiences, audience, pathId(params, 'contact_id'), clock.now())))
      throw new ApiError('not_found');
    return { status: 200, body: { deleted: true } };
  },
});
