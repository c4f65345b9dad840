import type { Campaign } from '../../../domain/campaign';
import { NEW_RUN } from '../../../domain/campaign-run';
import type { CampaignStore } from '../../ports/campaign-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import type { CampaignDocument } from '../campaigns/campaign-documents';
import { guarded } from '../transactions/guard';
import { takeIds } from '../database/ids';

/** MongoDB driver of CampaignStore. */
export function campaignStore(mongo: Mongo): CampaignStore {
  const campaigns = documents(mongo.db, 'campaigns');
  return guarded<CampaignStore>({
    create: async (fields) => {
      const campaign = { ...fields, id: await takeIds(mongo, 'campaigns') };
      await campaigns.insertOne({ ...toDocument(campaign), run: { ...NEW_RUN, marks: [] } });
      return campaign;
    },
    get: async (workspaceId, id) => {
      const found = await campaigns.findOne({ _id: id, workspaceId });
      return found && toCampaign(found);
    },
    list: async (workspaceId) => {
      const found = campaigns
        .find<Omit<Campaign, 'id' | 'html' | 'text'> & { _id: number }>(
          { workspaceId },
          { projection: { html: 0, text: 0, run: 0 } },
        )
        .sort({ _id: -1 });
      return (await found.toArray()).map(fromDocument);
    },
  });
}

function toCampaign({ run: _run, ...campaign }: CampaignDocument): Campaign {
  return fromDocument(campaign);
}
