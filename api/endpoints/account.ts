import { accountAnswer, presentAccount } from '../../schemas/responses/account';
import { resource } from '../route';

const route = resource({ tag: 'Account', scope: 'any', emailModule: 'optional' });

/** Account info (docs/contract.md#account-info). */
export const account = [
  route('GET /account', {
    id: 'showAccount',
    summary: 'Show the workspace, the key and their limits',
    description: 'Costs no coins. Also available without the Email Marketing module, but then without `email`.',
    answers: [{ status: 200, description: 'Account info.', schema: accountAnswer }],
    async handle({ stores, clock, ratePerMinute }, { workspace, key, moduleOpen }) {
      const { id } = workspace;
      const [coins, domains] = moduleOpen
        ? await Promise.all([stores.coins.account(id), stores.domains.list(id)])
        : [null, []];
      return presentAccount({ workspace, key, ratePerMinute, coins, domains, now: clock.now() });
    },
  }),
];
