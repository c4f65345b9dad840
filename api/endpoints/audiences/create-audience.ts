import { createAudience as create } from '../../../operations/contacts/change-audience';
import { newAudienceRules, newAudienceShape } from '../../../schemas/contacts/new-audience';
import { presentAudience } from '../../../schemas/responses/present-audience';
import { route } from '../../route';

/** POST /audiences: 201 with the audience, always with single opt-in. */
export const createAudience = route({
  method: 'POST',
  path: '/audiences',
  scope: 'manage_contacts',
  emailModule: 'required',
  body: { shape: newAudienceShape, rules: newAudienceRules },
  async handle(deps, { workspace, fields }) {
    const { name, description = null } = await fields();
    const audience = await create(deps, { workspaceId: workspace.id, name, description, optInMode: 'single' });
    return { status: 201, body: presentAudience(audience) };
  },
});
