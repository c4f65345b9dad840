import { found, pathId } from '../../path-id';
import { presentAudience } from '../../../schemas/responses/present-audience';
import { route } from '../../route';

/** GET /audiences/{id}: the audience (docs/contract.md#list-of-audiences). */
export const showAudience = route({
  method: 'GET',
  path: '/audiences/:id',
  scope: 'manage_contacts',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    return { status: 200, body: presentAudience(found(await stores.audiences.get(workspace.id, pathId(params)))) };
  },
});
