import type { SuppressionEntry } from '../../../domain/contacts/suppression';
import { canonicalAddress } from '../../../schemas/rules/email-address';
import { newSuppressionRules, newSuppressionShape } from '../../../schemas/contacts/suppressions';
import { block } from '../../../operations/suppressions/block';
import { presentSuppression } from '../../../schemas/responses/present-suppression';
import { route } from '../../route';

/**
 * POST /suppressions: blocks an address by hand. Always 201; an address that is blocked by hand already stays as it is
 * (docs/contract.md#suppress-an-address).
 */
export const suppressAddress = route({
  method: 'POST',
  path: '/suppressions',
  scope: 'manage_contacts',
  emailModule: 'required',
  body: { shape: newSuppressionShape, rules: newSuppressionRules },
  async handle({ stores, keyring, clock }, { workspace, fields }) {
    const email = canonicalAddress((await fields()).email);
    const addressHash = keyring.hashAddress(email);
    const entry: SuppressionEntry = {
      workspaceId: workspace.id,
      addressHash,
      reason: 'manual',
      messageId: null,
      createdAt: clock.now(),
    };
    await block(stores, [entry]);
    const entries = await stores.suppressions.list(workspace.id, 1, { addressHash, reason: 'hard_bounce' });
    const [stored] = entries.filter((each) => each.addressHash === addressHash);
    return { status: 201, body: presentSuppression({ ...(stored ?? entry), email }) };
  },
});
