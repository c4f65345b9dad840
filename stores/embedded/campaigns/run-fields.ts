import type { CampaignRun, RecipientState } from '../../../domain/campaigns/campaign-run';
import type { CampaignTally } from '../../../domain/campaigns/campaign-tally';
import type { CampaignRef } from '../../ports/campaign-runs';
import { ColumnList, columns, flagColumn, jsonColumn } from '../database/columns';
import type { Database } from '../database/database';
import { ITEM } from './campaign-store';

const RUN = new ColumnList<CampaignRun>('campaigns', {
  ...columns('rows', 'skipped', 'fed', 'cancelled', 'expandedTo', 'fedTo'),
  expanded: flagColumn('expanded'),
  marks: jsonColumn('marks'),
});
/** The columns that count what people did with the emails of a campaign. */
export const TALLY = new ColumnList<CampaignTally>(
  'campaigns',
  columns('opens', 'clicks', 'unsubscribes', 'opensByPeople', 'clicksByPeople'),
);
const SELECT = `SELECT ${[ITEM, RUN, TALLY].map((list) => list.select('k')).join(', ')} FROM campaigns k
  WHERE k.id = ? AND k.workspace_id = ?`;
const RUN_FROM = ITEM.names.length;
const TALLY_FROM = RUN_FROM + RUN.names.length;

interface Recipient {
  campaignId: number;
  contactId: number;
  state: RecipientState;
  reason: string | null;
  messageId: string | null;
}
/** The columns of a row of the manifest. */
export const RECIPIENT = new ColumnList<Recipient>(
  'campaign_recipients',
  columns('campaignId', 'contactId', 'state', 'reason', 'messageId'),
);

/** A campaign without its content, its run and its tally; undefined when there is none. */
export function readRun(db: Database, { workspaceId, id }: CampaignRef) {
  const values = db.values(SELECT, id, workspaceId);
  return (
    values && {
      campaign: ITEM.decodeFrom(values, 0),
      run: RUN.decodeFrom(values, RUN_FROM),
      tally: TALLY.decodeFrom(values, TALLY_FROM),
    }
  );
}
