import type { Campaign } from '../../domain/campaign';

export type NewCampaign = Omit<Campaign, 'id'>;

/** Campaigns. */
export interface CampaignStore {
  create(campaign: NewCampaign): Promise<Campaign>;
  get(workspaceId: number, id: number): Promise<Campaign | null>;
  /** Newest first, without their content. */
  list(workspaceId: number): Promise<Omit<Campaign, 'html' | 'text'>[]>;
}
