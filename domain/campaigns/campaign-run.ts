import { createHash } from 'node:crypto';
import type { Campaign } from './campaign';
import type { Contact } from '../contacts/contact';
import { makeMessage, type MessageSender } from '../messages/make-message';
import type { MessageFacts, MessageStatus } from '../messages/message';

/** The outcome of a row of the manifest. `cancelled`: the campaign was cancelled before it was made a message. */
export type RecipientState = 'pending' | 'message' | 'skipped' | 'cancelled';

/** How far a campaign has come. The counters change in the same commits as the rows they count. */
export interface CampaignRun {
  /** Rows of the manifest. */
  rows: number;
  skipped: number;
  /** Rows that became messages. */
  fed: number;
  cancelled: number;
  /** The highest contact id that the manifest has come to. */
  expandedTo: number;
  /** True once the manifest is complete. */
  expanded: boolean;
  /** The highest contact id whose row was looked at to be made a message, or cancelled. */
  fedTo: number;
  /** See AutoPauseMark. */
  marks: readonly AutoPauseMark[];
}

export const NEW_RUN: CampaignRun = {
  rows: 0,
  skipped: 0,
  fed: 0,
  cancelled: 0,
  expandedTo: 0,
  expanded: false,
  fedTo: 0,
  marks: [],
};

/** How many messages of a campaign were final at some moment, and how many of these bounced or complained. */
export interface AutoPauseMark {
  final: number;
  bad: number;
}

/** The counts of a campaign (docs/contract.md#show-a-campaign). They close at every moment. */
export interface CampaignCounts {
  /** All rows of the manifest, skipped ones included. */
  recipients: number;
  delivered: number;
  bounced: number;
  failed: number;
  skipped: number;
  pending: number;
  /** Being handed to the sending server, or handed over and not reported yet. */
  inHand: number;
}

/** The counts of a campaign, from its run and the number of its messages in each status. */
export function campaignCounts(
  { rows, skipped, fed, cancelled }: CampaignRun,
  by: Readonly<Partial<Record<MessageStatus, number>>>,
): CampaignCounts {
  const n = (status: MessageStatus): number => by[status] ?? 0;
  return {
    recipients: rows,
    delivered: n('delivered'),
    bounced: n('bounced'),
    failed: n('failed') + cancelled,
    skipped,
    pending: rows - skipped - fed - cancelled + n('queued'),
    inHand: n('sending') + n('sent_to_mta'),
  };
}

/**
 * How far ahead a paused campaign's message is put when its turn comes, ms: past the end of every clock. Resuming takes
 * the same time off again, so the message keeps its place. A message is on hold exactly while its due time is this or
 * later.
 */
export const HOLD = 1e15;

/** What the claim of a message does about its campaign. */
export type CampaignTurn = 'take' | 'hold' | 'cancel';

/** The status of a campaign decides about its messages' turns (docs/architecture.md#campaigns). */
export function campaignTurn(campaign: Pick<Campaign, 'status' | 'cancelledAt'> | undefined): CampaignTurn {
  if (campaign === undefined) return 'take';
  if (campaign.cancelledAt !== null) return 'cancel';
  return campaign.status === 'paused' ? 'hold' : 'take';
}

const CONTACT_BITS = 40;
const HASH_BITS = 34;

/**
 * The id of a campaign's message to a contact: always the same one, so that a repeated step makes no second message. It
 * is a UUIDv7 whose time is the start of the campaign (ms). After it comes the contact, so that ids sort in the order
 * of the manifest, and a hash.
 */
export function campaignMessageId(campaign: { id: number; sentAt: number }, contactId: number): string {
  const hash = createHash('sha256').update(`campaign ${campaign.id} contact ${contactId}`).digest();
  const place = BigInt.asUintN(CONTACT_BITS, BigInt(contactId));
  const tail = BigInt.asUintN(HASH_BITS, hash.readBigUInt64BE());
  const low = (place << BigInt(HASH_BITS)) | tail;
  // 12 bits follow the version, 62 the variant.
  const high = (BigInt(campaign.sentAt) << 16n) | (7n << 12n) | (low >> 62n);
  const rest = (2n << 62n) | BigInt.asUintN(62, low);
  const hex = high.toString(16).padStart(16, '0') + rest.toString(16).padStart(16, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

/** What the messages of a campaign have in common. */
export interface CampaignSender extends MessageSender {
  campaign: Omit<Campaign, 'html' | 'blocks' | 'text'> & { sentAt: number };
}

/** The facts of the campaign's message to a contact, made at `at` (ms). Its content stays with the campaign. */
export function campaignMessage(
  sender: CampaignSender,
  { id: contactId, email }: Pick<Contact, 'id' | 'email'>,
  at: number,
): Omit<MessageFacts, 'contactId'> {
  const { id: campaignId, subject, fromEmail, fromName, replyTo } = sender.campaign;
  const id = campaignMessageId(sender.campaign, contactId);
  const draft = { channel: 'app', lane: 'campaign', campaignId, subject, fromEmail, fromName, replyTo } as const;
  return makeMessage(sender, draft, { id, to: email, toText: email, createdAt: at });
}
