import { presentTemplate } from '../../../schemas/responses/present-template';
import { route } from '../../route';
import { ownTemplate } from './own-template';

/** GET /templates/{id}: the template with its content. */
export const showTemplate = route({
  method: 'GET',
  path: '/templates/:id',
  scope: 'send_email',
  emailModule: 'required',
  async handle(deps, call) {
    return { status: 200, body: presentTemplate(await ownTemplate(deps, call)) };
  },
});
