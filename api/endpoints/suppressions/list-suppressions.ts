import { refusingStatus } from '../../../domain/contacts/contact';
import type { Workspace } from '../../../domain/settings/workspace';
import { canonicalAddress } from '../../../schemas/rules/email-address';
import {
  suppressionListRules,
  suppressionListShape,
  type SuppressionListQuery,
} from '../../../schemas/contacts/suppressions';
import { withAddresses } from '../../../operations/suppressions/with-addresses';
import type { ApiDeps } from '../../deps';
import { pageOffset, PER_PAGE, presentPage } from '../../../schemas/responses/page';
import { presentSuppression } from '../../../schemas/responses/present-suppression';
import { presentSuppressionCheck } from '../../../schemas/responses/present-suppression-check';
import { API_PREFIX, route } from '../../route';

const PATH = '/suppressions';

/**
 * GET /suppressions: the list of the workspace, newest first in pages (docs/contract.md#list-of-suppressions). With
 * `email`, says if this address may be sent to (docs/contract.md#suppression-check).
 */
export const listSuppressions = route({
  method: 'GET',
  path: PATH,
  scope: 'send_email',
  emailModule: 'required',
  query: { shape: suppressionListShape, rules: suppressionListRules },
  async handle(deps, { workspace, query }) {
    const { email } = query;
    const body = email === undefined ? await list(deps, workspace, query) : await check(deps, workspace, email);
    return { status: 200, body };
  },
});

/** The suppression list takes precedence over the contact's status. */
async function check({ stores, keyring }: ApiDeps, workspace: Workspace, email: string): Promise<object> {
  const address = canonicalAddress(email);
  const [listed, contact] = await Promise.all([
    stores.suppressions.reason(workspace.id, keyring.hashAddress(address)),
    stores.contacts.find(workspace.id, address),
  ]);
  const status = contact && refusingStatus(contact.status);
  return presentSuppressionCheck(email, listed ?? status);
}

async function list(
  { stores, publicUrl }: ApiDeps,
  workspace: Workspace,
  { reason, page = 1 }: SuppressionListQuery,
): Promise<object> {
  const cut = { offset: pageOffset(page), limit: PER_PAGE };
  const { total, items } = await stores.suppressions.page(workspace.id, { ...cut, ...(reason && { reason }) });
  return presentPage({
    path: `${publicUrl()}${API_PREFIX}${PATH}`,
    filters: reason ? { reason } : {},
    page,
    total,
    items: (await withAddresses(stores, items)).map(presentSuppression),
  });
}
