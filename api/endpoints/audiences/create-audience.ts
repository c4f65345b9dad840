import { randomText } from '../../../lib/random-text';
import { newAudienceRules, newAudienceShape } from '../../../schemas/contacts/new-audience';
import { presentAudience } from '../../../schemas/responses/present-audience';
import { route } from '../../route';
import { PUBLIC_TOKEN_LENGTH } from '../../../domain/contacts/audience';

/** POST /audiences: 201 with the audience, always with single opt-in. */
export const createAudience = route({
  method: 'POST',
  path: '/audiences',
  scope: 'manage_contacts',
  emailModule: 'required',
  body: { shape: newAudienceShape, rules: newAudienceRules },
  async handle({ stores, clock }, { workspace, fields }) {
    const { name, description = null } = await fields();
    const audience = await stores.audiences.create({
      workspaceId: workspace.id,
      name,
      description,
      publicToken: randomText(PUBLIC_TOKEN_LENGTH),
      optInMode: 'single',
      createdAt: clock.now(),
    });
    return { status: 201, body: presentAudience(audience) };
  },
});
