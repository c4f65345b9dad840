import { suppressionCheckRules, suppressionCheckShape } from '../../../schemas/check-suppression';
import { canonicalAddress } from '../../../schemas/email-address';
import { presentSuppressionCheck } from '../../presenters/suppression-check';
import { route } from '../../route';

/**
 * GET /suppressions?email=: says if an address may be sent to. The suppression list takes precedence over the contact's
 * status.
 */
export const checkSuppression = route({
  method: 'GET',
  path: '/suppressions',
  scope: 'send_email',
  emailModule: 'required',
  query: { shape: suppressionCheckShape, rules: suppressionCheckRules },
  async handle({ stores, keyring }, { workspace, query }) {
    const address = canonicalAddress(query.email);
    const [listed, contact] = await Promise.all([
      stores.suppressions.reason(workspace.id, keyring.hashAddress(address)),
      stores.contacts.find(workspace.id, address),
    ]);
    const status = contact && contact.status !== 'subscribed' ? contact.status : null;
    return { status: 200, body: presentSuppressionCheck(query.email, listed ?? status) };
  },
});
