import { PREMIUM_PER_MINUTE } from '../../../domain/queue/send-rate';
import { presentAccount, presentEmailAccount } from '../../../presenters/account';
import { route } from '../../route';

/** GET /account: costs no coins. Without the email module it still answers, but omits `email`. */
export const showAccount = route({
  method: 'GET',
  path: '/account',
  scope: 'any',
  emailModule: 'optional',
  async handle({ stores, clock, ratePerMinute }, { workspace, key, moduleOpen }) {
    const emailAccount = async (): Promise<object> => {
      const [coins, domains, raised] = await Promise.all([
        stores.coins.account(workspace.id),
        stores.domains.list(workspace.id),
        stores.settings.get('premium_per_minute'),
      ]);
      return presentEmailAccount(coins, domains, (raised ?? PREMIUM_PER_MINUTE) as number, clock.now());
    };
    const email = moduleOpen ? await emailAccount() : null;
    return { status: 200, body: presentAccount({ workspace, key, ratePerMinute, email }) };
  },
});
