import { list } from '../../schemas/responses/closed';
import { domainAnswer, presentDomain } from '../../schemas/responses/domain';
import { resource } from '../route';

const route = resource({ tag: 'Account', scope: 'send_email' });

/** Sending domains (docs/contract.md#sending-domains). */
export const domains = [
  route('GET /domains', {
    id: 'listDomains',
    summary: 'List sending domains',
    description: 'All domains in alphabetical order, on one page. Only an `active` domain can send.',
    answers: [{ status: 200, description: 'The domains.', schema: list(domainAnswer) }],
    handle: async ({ stores }, { workspace }) => (await stores.domains.list(workspace.id)).map(presentDomain),
  }),
];
