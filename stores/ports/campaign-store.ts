import type { Approval, Campaign, CampaignContent, CampaignStatus } from '../../domain/campaigns/campaign';

export type NewCampaign = Omit<Campaign, 'id'>;

/** `refused`: its status does not allow it. `unknown`: the workspace has no such campaign. */
export type EditOutcome =
  { kind: 'edited'; campaign: Campaign } | { kind: 'refused'; status: CampaignStatus } | { kind: 'unknown' };
/** `changed`: its content is another one by now. */
export type ApproveOutcome = EditOutcome | { kind: 'changed' };
export type DeleteOutcome = { kind: 'deleted' } | { kind: 'refused'; status: CampaignStatus } | { kind: 'unknown' };

/** Which campaigns are listed. */
export interface CampaignQuery {
  /** Only those before this one; ids grow in the order of creation. */
  before?: number | undefined;
  limit?: number | undefined;
  /** Only drafts that wait for an owner's approval. */
  asked?: boolean | undefined;
}

/** Campaigns. */
export interface CampaignStore {
  create(campaign: NewCampaign): Promise<Campaign>;
  /**
   * Replaces the content of a draft or a scheduled campaign. Compare-and-set on the status: of an edit and a start at
   * the same time, the campaign has the new content before it starts, or the edit is refused.
   * `approval` takes the place of the one of the content before.
   */
  edit(workspaceId: number, id: number, content: CampaignContent, approval: Approval | null): Promise<EditOutcome>;
  /** Sets the approval of a draft or a scheduled campaign whose content is still `content`. */
  approve(
    workspaceId: number,
    id: number,
    content: CampaignContent,
    approval: Approval | null,
  ): Promise<ApproveOutcome>;
  /** Deletes a draft, with the same compare-and-set. */
  delete(workspaceId: number, id: number): Promise<DeleteOutcome>;
  get(workspaceId: number, id: number): Promise<Campaign | null>;
  /** Newest first, without their content; all of them, unless the query says less. */
  list(workspaceId: number, query?: CampaignQuery): Promise<Omit<Campaign, 'html' | 'blocks' | 'text'>[]>;
}
