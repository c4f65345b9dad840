import type { Campaign } from '../../../domain/campaigns/campaign';
import { listedState } from '../../../domain/campaigns/campaign-steps';
import type { SkipReason } from '../../../domain/campaigns/campaign-start';
import type { CampaignTally } from '../../../domain/campaigns/campaign-tally';
import type { Image } from '../../../domain/images/image';
import type { Stored } from '../database/stored';
import type { CampaignRun, RecipientState } from '../../../domain/campaigns/campaign-run';

/** A campaign and its run. */
export interface CampaignDocument extends Omit<Campaign, 'id' | 'blocks' | 'approval'> {
  _id: number;
  /** Absent: the campaign is older than these. */
  blocks?: Campaign['blocks'];
  approval?: Campaign['approval'];
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

/** The id of a row of the manifest. */
export const recipientId = (campaignId: number, contactId: number): string => `${campaignId}:${contactId}`;

/** A row that was just listed; with a reason it is skipped. */
export const recipientRow = (
  campaignId: number,
  contactId: number,
  reason: SkipReason | null,
): CampaignRecipientDocument => ({
  _id: recipientId(campaignId, contactId),
  campaignId,
  contactId,
  state: listedState(reason),
  reason,
  messageId: null,
});

/** Emails of a campaign that were opened, clicked and unsubscribed with. `_id` is the campaign. */
export interface CampaignTallyDocument extends CampaignTally {
  _id: number;
}

/** The document types of the collections of campaigns. */
export interface CampaignDocuments {
  images: Stored<Image>;
  imageContents: { _id: string; content: Uint8Array };
  /** What the images of a workspace are together. `_id` is the workspace. */
  imageSums: { _id: number; count: number; bytes: number };
  campaigns: CampaignDocument;
  campaignRecipients: CampaignRecipientDocument;
  campaignTallies: CampaignTallyDocument;
}
