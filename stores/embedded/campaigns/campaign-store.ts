import { EDITABLE, type Campaign, type CampaignContent, type CampaignStatus } from '../../../domain/campaigns/campaign';
import type { CampaignStore, DeleteOutcome, EditOutcome } from '../../ports/campaign-store';
import type { Commits } from '../database/commits';
import { textIn, textOut, type Database } from '../database/database';

type Text = string | Uint8Array;

export interface ItemRow {
  id: number;
  workspace_id: number;
  audience_id: number;
  domain_id: number;
  subject: Text;
  preheader: Text | null;
  from_email: string | null;
  from_name: Text | null;
  reply_to: string | null;
  status: CampaignStatus;
  scheduled_at: number | null;
  sent_at: number | null;
  recipients: number | null;
  last_contact_id: number | null;
  cancelled_at: number | null;
  pause_reason: string | null;
  schedule_error: string | null;
  created_at: number;
}
interface Row extends ItemRow {
  html: Text | null;
  text: Text | null;
}

/** The columns of a campaign without its content. */
export const ITEM = `id, workspace_id, audience_id, domain_id, subject, preheader, from_email, from_name, reply_to, status,
  scheduled_at, sent_at, recipients, last_contact_id, cancelled_at, pause_reason, schedule_error, created_at`;

const bytesIn = (text: string | null): Text | null => text && textIn(text);
const bytesOut = (text: Text | null): string | null => (text === null ? null : textOut(text));

/** Converts a row to a campaign without its content. */
export const toItem = (row: ItemRow): Omit<Campaign, 'html' | 'text'> => ({
  id: row.id,
  workspaceId: row.workspace_id,
  audienceId: row.audience_id,
  domainId: row.domain_id,
  subject: textOut(row.subject),
  preheader: bytesOut(row.preheader),
  fromEmail: row.from_email,
  fromName: bytesOut(row.from_name),
  replyTo: row.reply_to,
  status: row.status,
  scheduledAt: row.scheduled_at,
  sentAt: row.sent_at,
  recipients: row.recipients,
  lastContactId: row.last_contact_id,
  cancelledAt: row.cancelled_at,
  pauseReason: row.pause_reason,
  scheduleError: row.schedule_error,
  createdAt: row.created_at,
});

/** Reads one campaign of a workspace with its content, inside or outside a transaction. */
export function readCampaign(db: Database, workspaceId: number, id: number): Campaign | null {
  const row = db.get<Row>(
    `SELECT ${ITEM}, html, text FROM campaigns WHERE id = ? AND workspace_id = ?`,
    id,
    workspaceId,
  );
  return row ? { ...toItem(row), html: bytesOut(row.html), text: bytesOut(row.text) } : null;
}

function edit(db: Database, workspaceId: number, id: number, content: CampaignContent): EditOutcome {
  const campaign = readCampaign(db, workspaceId, id);
  if (!campaign) return { kind: 'unknown' };
  if (!EDITABLE.includes(campaign.status)) return { kind: 'refused', status: campaign.status };
  db.run(
    `UPDATE campaigns SET audience_id = ?, domain_id = ?, subject = ?, html = ?, text = ?, preheader = ?, from_email = ?,
       from_name = ?, reply_to = ? WHERE id = ?`,
    content.audienceId,
    content.domainId,
    textIn(content.subject),
    bytesIn(content.html),
    bytesIn(content.text),
    bytesIn(content.preheader),
    content.fromEmail,
    bytesIn(content.fromName),
    content.replyTo,
    id,
  );
  return { kind: 'edited', campaign: { ...campaign, ...content } };
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
    create: (campaign) =>
      commits.write(() => {
        const id = db.insert(
          `INSERT INTO campaigns (workspace_id, audience_id, domain_id, subject, html, text, preheader, from_email, from_name,
             reply_to, status, scheduled_at, sent_at, recipients, last_contact_id, cancelled_at, pause_reason,
             schedule_error, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          campaign.workspaceId,
          campaign.audienceId,
          campaign.domainId,
          textIn(campaign.subject),
          bytesIn(campaign.html),
          bytesIn(campaign.text),
          bytesIn(campaign.preheader),
          campaign.fromEmail,
          bytesIn(campaign.fromName),
          campaign.replyTo,
          campaign.status,
          campaign.scheduledAt,
          campaign.sentAt,
          campaign.recipients,
          campaign.lastContactId,
          campaign.cancelledAt,
          campaign.pauseReason,
          campaign.scheduleError,
          campaign.createdAt,
        );
        return { ...campaign, id };
      }),
    edit: (workspaceId, id, content) => commits.write(() => edit(db, workspaceId, id, content)),
    delete: (workspaceId, id) => commits.write(() => remove(db, workspaceId, id)),
    get: async (workspaceId, id) => readCampaign(db, workspaceId, id),
    list: async (workspaceId) =>
      db.all<ItemRow>(`SELECT ${ITEM} FROM campaigns WHERE workspace_id = ? ORDER BY id DESC`, workspaceId).map(toItem),
  };
}
