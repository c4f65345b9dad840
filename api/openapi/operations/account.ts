import { accountAnswer } from '../../../schemas/responses/account';
import { domainsAnswer } from '../../../schemas/responses/domain';
import type { Operation } from '../operation';

export const accountOperations: readonly Operation[] = [
  {
    method: 'GET',
    path: '/account',
    id: 'showAccount',
    tag: 'Account',
    summary: 'The workspace, the key and their limits',
    description: 'Costs no coins. Answers without the Email Marketing module too, then without `email`.',
    answers: [{ status: 200, description: 'Account info.', schema: accountAnswer }],
  },
  {
    method: 'GET',
    path: '/domains',
    id: 'listDomains',
    tag: 'Account',
    summary: 'The sending domains',
    description: 'All of them in alphabetical order, without pages. Only a domain that is `active` may send.',
    answers: [{ status: 200, description: 'The domains.', schema: domainsAnswer }],
  },
];
