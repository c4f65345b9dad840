import type { SubmissionPolicy } from '../protocol/policy';
import { checkLogin, recheckLogin } from './check-login';
import { checkRecipient } from './check-recipient';
import { checkSender } from './check-sender';
import type { Login, SubmissionPolicyDeps } from './policy-deps';
import { isReply } from './replies';
import { takeMail } from './take-mail';
import { WrongLogins } from './wrong-logins';

/**
 * What the relay decides by the contract (docs/contract.md#smtp-relay): who may send, from which address, to whom, and
 * what becomes of a mail. Everything is read at each step, so that a replaced password, a suspension and a closed
 * module hold at once, in open connections too.
 */
export function createSubmissionPolicy(deps: SubmissionPolicyDeps): SubmissionPolicy<Login> {
  const wrong = new WrongLogins(deps);
  return {
    login: (credentials, peer) => checkLogin(deps, wrong, credentials, peer),
    accountOf: ({ workspaceId }) => workspaceId,
    sender: async (login, { address }) => {
      const account = await recheckLogin(deps, login);
      if (isReply(account)) return account;
      const found = await checkSender(deps, login, address, 'MAIL FROM');
      return isReply(found) ? found : null;
    },
    recipient: async ({ login, sender }, address) => {
      const account = await recheckLogin(deps, login);
      return isReply(account) ? account : checkRecipient(deps, login, address, sender.address);
    },
    mail: (transaction, content) => takeMail(deps, transaction, content),
  };
}
