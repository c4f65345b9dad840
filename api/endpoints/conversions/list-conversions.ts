import { conversionListRules, conversionListShape } from '../../../schemas/conversions/list-conversions';
import { objectTime } from '../../../schemas/rules/timestamps';
import { presentConversion } from '../../../schemas/responses/present-conversion';
import { pageOffset, PER_PAGE, presentPage } from '../../../schemas/responses/page';
import { API_PREFIX, route } from '../../route';

const PATH = '/conversions';

/** GET /conversions: the linked sales, newest first in pages (docs/contract.md#list-of-conversions). */
export const listConversions = route({
  method: 'GET',
  path: PATH,
  scope: 'send_email',
  emailModule: 'required',
  query: { shape: conversionListShape, rules: conversionListRules },
  async handle({ stores, publicUrl }, { workspace, query }) {
    const { message_id: messageId, campaign_id: campaignId, since, until, page = 1 } = query;
    const filter = {
      ...(messageId !== undefined && { messageId }),
      ...(campaignId !== undefined && { campaignId }),
      ...(since !== undefined && { since }),
      ...(until !== undefined && { until }),
    };
    const filters = {
      ...(messageId !== undefined && { message_id: messageId }),
      ...(campaignId !== undefined && { campaign_id: String(campaignId) }),
      ...(since !== undefined && { since: objectTime(since) }),
      ...(until !== undefined && { until: objectTime(until) }),
    };
    const cut = { offset: pageOffset(page), limit: PER_PAGE };
    const { total, items } = await stores.conversions.list(workspace.id, filter, cut);
    const path = `${publicUrl()}${API_PREFIX}${PATH}`;
    return { status: 200, body: presentPage({ path, filters, page, total, items: items.map(presentConversion) }) };
  },
});
