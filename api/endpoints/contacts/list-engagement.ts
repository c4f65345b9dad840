import type { Workspace } from '../../../domain/settings/workspace';
import { periodStart } from '../../../domain/engagement/engagement';
import { readIntegerId } from '../../../schemas/rules/ids';
import { engagementRules, engagementShape } from '../../../schemas/engagement/list-engagement';
import type { ApiDeps } from '../../deps';
import { ApiError } from '../../errors';
import { found } from '../../path-id';
import { presentEngagement } from '../../../schemas/responses/present-engagement';
import { pageOffset, PER_PAGE } from '../../../schemas/responses/page';
import { route } from '../../route';

const DAYS = 90;

/**
 * GET /contacts/engagement: the most active contacts of a period that ends now (docs/contract.md#contact-engagement).
 */
export const listEngagement = route({
  method: 'GET',
  path: '/contacts/engagement',
  scope: 'manage_contacts',
  emailModule: 'required',
  query: { shape: engagementShape, rules: engagementRules },
  async handle(deps, { workspace, query }) {
    const { by = 'opens', days = DAYS, per_page: perPage = PER_PAGE, page = 1 } = query;
    const audienceId = await ownAudience(deps, workspace, query.audience_id);
    const since = periodStart(deps.clock.now(), days);
    const offset = pageOffset(page, perPage);
    const { total, items } = await deps.stores.engagement.top(workspace.id, {
      ...{ by, since, audienceId, offset },
      limit: perPage,
    });
    const meta = {
      by,
      days,
      audience_id: audienceId,
      current_page: page,
      last_page: Math.max(1, Math.ceil(total / perPage)),
      per_page: perPage,
      total,
    };
    return { status: 200, body: { data: items.map((item, n) => presentEngagement(item, offset + n + 1)), meta } };
  },
});

/** Returns the id of an audience of the workspace, or null if none was requested; ApiError 404. */
async function ownAudience({ stores }: ApiDeps, { id }: Workspace, requested: unknown): Promise<number | null> {
  if (requested === undefined) return null;
  const audienceId = typeof requested === 'string' ? readIntegerId(requested) : null;
  if (audienceId === null) throw new ApiError('not_found');
  return found(await stores.audiences.get(id, audienceId)).id;
}
