import { presentAccount, presentEmailAccount } from '../../../schemas/responses/present-account';
import { route } from '../../route';

/** GET /account: costs no coins. Without the email module it still answers, but omits `email`. */
export const showAccount = route({
  method: 'GET',
  path: '/account',
  scope: 'any',
  emailModule: 'optional',
  async handle({ stores, clock, ratePerMinute }, { workspace, key, moduleOpen }) {
    const emailAccount = async (): Promise<object> => {
      const [coins, domains] = await Promise.all([
        stores.coins.account(workspace.id),
        stores.domains.list(workspace.id),
      ]);
      return presentEmailAccount(coins, domains, workspace, clock.now());
    };
    const email = moduleOpen ? await emailAccount() : null;
    return { status: 200, body: presentAccount({ workspace, key, ratePerMinute, email }) };
  },
});
