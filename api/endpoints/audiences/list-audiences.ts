import { presentAudience } from '../../../schemas/responses/present-audience';
import { route } from '../../route';

/** GET /audiences: all audiences. */
export const listAudiences = route({
  method: 'GET',
  path: '/audiences',
  scope: 'manage_contacts',
  emailModule: 'required',
  async handle({ stores }, { workspace }) {
    const audiences = await stores.audiences.list(workspace.id);
    return { status: 200, body: audiences.map(presentAudience) };
  },
});
