import { presentDomain } from '../../../schemas/responses/present-domain';
import { route } from '../../route';

/** GET /domains: all domains, in alphabetical order. */
export const listDomains = route({
  method: 'GET',
  path: '/domains',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace }) {
    const domains = await stores.domains.list(workspace.id);
    return { status: 200, body: domains.map(presentDomain) };
  },
});
