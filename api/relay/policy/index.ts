import type { SubmissionPolicy } from '../protocol/policy';
import { checkLogin, recheckLogin } from './check-login';
import { checkRecipient } from './check-recipient';
import { checkSender, isReply } from './check-sender';
import type { Login, SubmissionPolicyDeps } from './policy-deps';
import { takeMail } from './take-mail';
import { WrongLogins } from './wrong-logins';

/**
 * What the relay decides by the contract (docs/contract.md#smtp-relay): who may send, from which address, to whom, and what
 * becomes of a mail. Everything is read at each step, so that a replaced password, a suspension and a closed module hold
 * from the next mail of an open connection on.
 */
export function createSubmissionPolicy(deps: SubmissionPolicyDeps): SubmissionPolicy<Login> {
  const wrong = new WrongLogins(deps);
  return {
    login: (credentials, peer) => checkLogin(deps, wrong, credentials, peer),
    sender: async (login, { address }) => {
      const refusal = await recheckLogin(deps, login);
      if (refusal) return refusal;
      const found = await checkSender(deps, login, address, 'MAIL FROM');
      return isReply(found) ? found : null;
    },
    recipient: ({ login }, address) => checkRecipient(deps, login, address),
    mail: (transaction, content) => takeMail(deps, transaction, content),
  };
}
