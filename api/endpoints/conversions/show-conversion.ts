import { explainConversion } from '../../../operations/conversions/explain';
import { isLinked } from '../../../domain/conversions/conversion';
import { readUuid } from '../../../schemas/rules/ids';
import { ApiError } from '../../errors';
import { presentExplained } from '../../../schemas/responses/present-conversion';
import { route } from '../../route';

/**
 * GET /conversions/{id}: 404 unless `{id}` is that of a linked sale of the account
 * (docs/contract.md#show-a-conversion).
 */
export const showConversion = route({
  method: 'GET',
  path: '/conversions/:id',
  scope: 'send_email',
  emailModule: 'required',
  async handle({ stores }, { workspace, params }) {
    const id = readUuid(params['id'] ?? '');
    const sale = id && (await stores.conversions.get(id));
    if (!sale || sale.workspaceId !== workspace.id || !isLinked(sale)) throw new ApiError('not_found');
    return { status: 200, body: presentExplained(sale, await explainConversion(stores, sale)) };
  },
});
