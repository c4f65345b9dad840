import { presentTemplateItem } from '../../../schemas/responses/present-template';
import { route } from '../../route';

/** GET /templates: all of them by name, without their content. */
export const listTemplates = route({
  method: 'GET',
  path: '/templates',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace }) {
    const templates = await stores.templates.list(workspace.id);
    return { status: 200, body: templates.map(presentTemplateItem) };
  },
});
