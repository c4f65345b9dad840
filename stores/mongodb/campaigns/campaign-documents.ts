import type { Campaign } from '../../../domain/campaign';
import type { CampaignTally } from '../../../domain/campaign-tally';
import type { CampaignRun, RecipientState } from '../../../domain/campaign-run';

/** A campaign and its run. */
export interface CampaignDocument extends Omit<Campaign, 'id'> {
  _id: number;
  run: Omit<CampaignRun, 'marks'> & { marks: { final: number; bad: number }[] };
}

/** A row of a campaign's manifest. `_id` is `<campaign>:<contact>`. */
export interface CampaignRecipientDocument {
  _id: string;
  campaignId: number;
  contactId: number;
  state: RecipientState;
  reason: string | null;
  messageId: string | null;
}

/** Emails of a campaign that were opened, clicked and unsubscribed with. `_id` is the campaign. */
export interface CampaignTallyDocument extends CampaignTally {
  _id: number;
}

/** The document types of the collections of campaigns. */
export interface CampaignDocuments {
  campaigns: CampaignDocument;
  campaignRecipients: CampaignRecipientDocument;
  campaignTallies: CampaignTallyDocument;
}
