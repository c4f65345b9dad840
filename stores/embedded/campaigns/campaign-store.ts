import {
  CAMPAIGN_FIELDS,
  CONTENT_FIELDS,
  EDITABLE,
  hasContent,
  type Approval,
  type Campaign,
  type CampaignContent,
} from '../../../domain/campaigns/campaign';
import type { ApproveOutcome, CampaignStore, DeleteOutcome, EditOutcome } from '../../ports/campaign-store';
import { allRead } from '../../shared/conditions';
import type { Commits } from '../database/commits';
import { ColumnList, declaredColumns } from '../database/columns';
import type { Database } from '../database/database';

/** The columns of a campaign. */
const CAMPAIGN = new ColumnList<Campaign>('campaigns', declaredColumns(CAMPAIGN_FIELDS));
/** The same without its content. */
export const ITEM = CAMPAIGN.without('html', 'blocks', 'text');
const NEW = CAMPAIGN.without('id');
const CONTENT = CAMPAIGN.only([...CONTENT_FIELDS, 'approval']);

/** Reads one campaign of a workspace with its content, inside or outside a transaction. */
export const readCampaign = (db: Database, workspaceId: number, id: number): Campaign | null =>
  CAMPAIGN.get(db, 'WHERE id = ? AND workspace_id = ?', id, workspaceId);

/** The condition of the index of campaigns that wait. */
const ASKED = `AND status = 'draft' AND approval IS NOT NULL AND json_extract(approval, '$.state') = 'asked'`;

function edit(
  db: Database,
  workspaceId: number,
  id: number,
  content: CampaignContent & Pick<Campaign, 'approval'>,
): EditOutcome {
  const campaign = readCampaign(db, workspaceId, id);
  if (!campaign) return { kind: 'unknown' };
  if (!EDITABLE.includes(campaign.status)) return { kind: 'refused', status: campaign.status };
  db.run(`UPDATE campaigns SET ${CONTENT.assignments} WHERE id = ?`, ...CONTENT.bind(content), id);
  return { kind: 'edited', campaign: { ...campaign, ...content } };
}

function approve(
  db: Database,
  workspaceId: number,
  id: number,
  content: CampaignContent,
  approval: Approval | null,
): ApproveOutcome {
  const campaign = readCampaign(db, workspaceId, id);
  if (campaign && EDITABLE.includes(campaign.status) && !hasContent(campaign, content)) return { kind: 'changed' };
  return edit(db, workspaceId, id, { ...content, approval });
}

function remove(db: Database, workspaceId: number, id: number): DeleteOutcome {
  const campaign = readCampaign(db, workspaceId, id);
  if (!campaign) return { kind: 'unknown' };
  if (campaign.status !== 'draft') return { kind: 'refused', status: campaign.status };
  db.run('DELETE FROM campaigns WHERE id = ?', id);
  return { kind: 'deleted' };
}

/** Embedded driver of CampaignStore. */
export function campaignStore(db: Database, commits: Commits): CampaignStore {
  return {
    create: (campaign) => commits.write(() => ({ ...campaign, id: NEW.insert(db, campaign) })),
    edit: (workspaceId, id, content, approval) =>
      commits.write(() => edit(db, workspaceId, id, { ...content, approval })),
    approve: (workspaceId, id, content, approval) =>
      commits.write(() => approve(db, workspaceId, id, content, approval)),
    delete: (workspaceId, id) => commits.write(() => remove(db, workspaceId, id)),
    get: async (workspaceId, id) => readCampaign(db, workspaceId, id),
    list: async (workspaceId, { before = Number.MAX_SAFE_INTEGER, limit = -1, asked = false, ...left } = {}) => {
      allRead(left);
      return ITEM.all(
        db,
        `${asked ? 'INDEXED BY campaigns_asked' : ''} WHERE workspace_id = ? AND id < ? ${asked ? ASKED : ''} ORDER BY id DESC LIMIT ?`,
        ...[workspaceId, before, limit],
      );
    },
  };
}
