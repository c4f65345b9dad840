import type { Message, MessageFacts, MessageState } from '../../../domain/messages/message';
import { column, ColumnList, flagColumn, jsonColumn, textColumn, type ColumnsOf } from '../database/columns';

const FACTS: ColumnsOf<MessageFacts> = {
  id: column('id'),
  workspaceId: column('workspace_id'),
  contactId: column('contact_id'),
  domainId: column('domain_id'),
  channel: column('channel'),
  lane: column('lane'),
  campaignId: column('campaign_id'),
  journeyId: column('journey_id'),
  journeyVersion: column('journey_version'),
  journeyStep: column('journey_step'),
  category: column('category'),
  trackClicks: flagColumn('track_clicks'),
  sendAt: column('send_at'),
  to: column('recipient'),
  toText: column('recipient_text'),
  subject: textColumn('subject'),
  fromEmail: column('from_email'),
  fromName: textColumn('from_name'),
  replyTo: column('reply_to'),
  metadata: jsonColumn('metadata'),
  attachmentsLeftOut: column('attachments_left_out'),
  createdAt: column('created_at'),
};

const STATE: ColumnsOf<MessageState> = {
  status: column('status'),
  failedReason: column('failed_reason'),
  dispatchedAt: column('dispatched_at'),
  dueAt: column('due_at'),
  attempt: column('attempt'),
  firstClaimedAt: column('first_claimed_at'),
  fence: column('fence'),
  fencedAt: column('fenced_at'),
  unknown: flagColumn('unknown'),
  reopenable: column('reopenable'),
  complainedAt: column('complained_at'),
  refusedClass: column('refused_class'),
  refusedAt: column('refused_at'),
  hardBouncedAt: column('hard_bounced_at'),
  attachmentsUntil: column('attachments_until'),
  version: column('version'),
};

/** The columns of `messages` that make a Message. The history is read separately. */
export const MESSAGE = new ColumnList<Message>({ ...FACTS, ...STATE });
export const MESSAGE_FACTS = new ColumnList(FACTS);
/** The columns that a change can set. The version increases automatically. */
export const MESSAGE_STATE = new ColumnList(STATE).without('version');
