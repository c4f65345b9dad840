import { accountAnswer } from '../../../schemas/responses/account';
import { domainsAnswer } from '../../../schemas/responses/domain';
import type { ListedOperation } from '../listed-operation';

export const accountOperations: readonly ListedOperation[] = [
  {
    method: 'GET',
    path: '/account',
    id: 'showAccount',
    tag: 'Account',
    summary: 'Show the workspace, the key and their limits',
    description: 'Costs no coins. Also available without the Email Marketing module, but then without `email`.',
    answers: [{ status: 200, description: 'Account info.', schema: accountAnswer }],
  },
  {
    method: 'GET',
    path: '/domains',
    id: 'listDomains',
    tag: 'Account',
    summary: 'List sending domains',
    description: 'All domains in alphabetical order, on one page. Only an `active` domain may send.',
    answers: [{ status: 200, description: 'The domains.', schema: domainsAnswer }],
  },
];
