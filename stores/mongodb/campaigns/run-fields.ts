import type { ClientSession } from 'mongodb';
import type { Campaign } from '../../../domain/campaigns/campaign';
import type { CampaignRun } from '../../../domain/campaigns/campaign-run';
import type { CampaignRef } from '../../ports/campaign-runs';
import type { Mongo } from '../database/client';
import { documents, fromDocument } from '../database/documents';
import type { CampaignDocument } from './campaign-documents';

/** A campaign without its content, and its run. */
export interface FoundRun {
  campaign: Omit<Campaign, 'html' | 'blocks' | 'text'>;
  run: CampaignRun;
}

export const WITHOUT_CONTENT = { html: 0, blocks: 0, text: 0 } as const;

export function toRun({ run, ...campaign }: Omit<CampaignDocument, 'html' | 'blocks' | 'text'>): FoundRun {
  return { campaign: fromDocument({ ...campaign, approval: campaign.approval ?? null }), run };
}

/** Reads a campaign with its run in a transaction; null when there is none. */
export async function readRun({ db }: Mongo, session: ClientSession, ref: CampaignRef): Promise<FoundRun | null> {
  const found = await documents(db, 'campaigns').findOne<Omit<CampaignDocument, 'html' | 'blocks' | 'text'>>(
    { _id: ref.id, workspaceId: ref.workspaceId },
    { session, projection: WITHOUT_CONTENT },
  );
  return found && toRun(found);
}
