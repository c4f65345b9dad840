import type { SuppressionReason } from '../../../domain/contacts/suppression';
import { canonicalAddress, isEmailAddress } from '../../../schemas/rules/email-address';
import { ApiError } from '../../errors';
import { route } from '../../route';

/**
 * DELETE /suppressions/{email}: takes an address off the list that was blocked by hand. 404 when it is not on the list;
 * 422 when another reason blocks it, which only the operator removes (docs/contract.md#delete-a-suppression).
 */
export const deleteSuppression = route({
  method: 'DELETE',
  path: '/suppressions/:email',
  scope: 'manage_contacts',
  emailModule: 'required',
  async handle({ stores, keyring }, { workspace, params }) {
    const email = params['email'] ?? '';
    if (!isEmailAddress(email)) throw new ApiError('not_found');
    const hash = keyring.hashAddress(canonicalAddress(email));
    if ((await stores.suppressions.remove(workspace.id, hash, 'manual')) > 0) {
      return { status: 200, body: { deleted: true } };
    }
    const reason = await stores.suppressions.reason(workspace.id, hash);
    if (reason === null) throw new ApiError('not_found');
    throw new ApiError('suppression_not_manual', { text: refusal(reason, workspace.id) });
  },
});

const refusal = (reason: SuppressionReason, workspaceId: number): string => {
  const list = reason === 'global' ? '--global' : `--workspace ${workspaceId}`;
  return `Only a manual entry can be deleted here, and this one has the reason ${reason}. The operator removes it: kurir suppress remove <email> ${list}`;
};
