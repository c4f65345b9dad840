import { contentOf, EDITABLE, type Campaign, type CampaignStatus } from '../../../domain/campaigns/campaign';
import { NEW_RUN } from '../../../domain/campaigns/campaign-run';
import type { CampaignStore } from '../../ports/campaign-store';
import { allRead } from '../../shared/conditions';
import { mapOne, mapAll } from '../database/reads';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import type { CampaignDocument } from './campaign-documents';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** The drafts that wait for an approval. */
const ASKED = { status: 'draft', 'approval.state': 'asked' } as const;
/** A list shows no content. */
const LISTED = { html: 0, blocks: 0, text: 0, run: 0 };

/** MongoDB driver of CampaignStore. */
export function campaignStore(mongo: Mongo): CampaignStore {
  const campaigns = documents(mongo.db, 'campaigns');
  /** Why a campaign was neither edited nor deleted. */
  const refusal = async (
    workspaceId: number,
    id: number,
  ): Promise<{ kind: 'refused'; status: CampaignStatus } | { kind: 'unknown' }> => {
    const found = await campaigns.findOne({ _id: id, workspaceId }, { projection: { status: 1 } });
    return found ? { kind: 'refused', status: found.status } : { kind: 'unknown' };
  };
  return guarded<CampaignStore>({
    create: async (fields) => {
      const campaign = { ...fields, id: await takeIds(mongo, 'campaigns') };
      await campaigns.insertOne({ ...toDocument(campaign), run: { ...NEW_RUN, marks: [] } });
      return campaign;
    },
    edit: async (workspaceId, id, content, approval) => {
      const found = await campaigns.findOneAndUpdate(
        { _id: id, workspaceId, status: { $in: [...EDITABLE] } },
        { $set: { ...content, approval } },
        { returnDocument: 'after' },
      );
      return found ? { kind: 'edited', campaign: toCampaign(found) } : refusal(workspaceId, id);
    },
    approve: async (workspaceId, id, content, approval) => {
      const { blocks: _blocks, ...compared } = contentOf(content);
      const found = await campaigns.findOneAndUpdate(
        { _id: id, workspaceId, status: { $in: [...EDITABLE] }, ...compared },
        { $set: { approval } },
        { returnDocument: 'after' },
      );
      if (found) return { kind: 'edited', campaign: toCampaign(found) };
      const stands = await refusal(workspaceId, id);
      return stands.kind === 'refused' && EDITABLE.includes(stands.status) ? { kind: 'changed' } : stands;
    },
    delete: async (workspaceId, id) => {
      const { deletedCount } = await campaigns.deleteOne({ _id: id, workspaceId, status: 'draft' });
      return deletedCount > 0 ? { kind: 'deleted' } : refusal(workspaceId, id);
    },
    get: (workspaceId, id) => mapOne(campaigns.findOne({ _id: id, workspaceId }), toCampaign),
    list: (workspaceId, { before, limit = 0, asked = false, ...left } = {}) => {
      allRead(left);
      return mapAll(
        campaigns
          .find<Omit<Campaign, 'id' | 'html' | 'blocks' | 'text'> & { _id: number }>(
            { workspaceId, ...(before !== undefined && { _id: { $lt: before } }), ...(asked && ASKED) },
            { projection: LISTED, hint: asked ? 'campaigns_asked' : 'campaigns_of_workspace' },
          )
          .sort({ _id: -1 })
          .limit(limit),
        (found) => fromDocument({ ...found, approval: found.approval ?? null }),
      );
    },
  });
}

function toCampaign({ run: _run, ...campaign }: CampaignDocument): Campaign {
  return fromDocument({ ...campaign, blocks: campaign.blocks ?? null, approval: campaign.approval ?? null });
}
