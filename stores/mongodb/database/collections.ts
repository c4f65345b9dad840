import type { CollectionName } from './documents';

/** A release that changes the documents so that an older one would misread them raises it and appends a step. */
export const SCHEMA_VERSION = 3;

/** One index: fields in order, 1 = ascending. */
export interface IndexSpec {
  name: string;
  key: Readonly<Record<string, 1 | -1>>;
  unique?: true;
  /** Only matching documents are in the index. */
  partial?: Readonly<Record<string, unknown>>;
}

/** Every collection, and its indexes besides that of `_id`. */
export const COLLECTIONS: Readonly<Record<CollectionName, readonly IndexSpec[]>> = {
  meta: [],
  counters: [],
  settings: [],
  workspaces: [],
  apiKeys: [
    { name: 'api_keys_by_hash', key: { hash: 1 }, unique: true },
    { name: 'api_keys_of_workspace', key: { workspaceId: 1, _id: 1 } },
  ],
  smtpLogins: [
    { name: 'smtp_logins_by_username', key: { username: 1 }, unique: true },
    { name: 'smtp_logins_of_workspace', key: { workspaceId: 1, _id: 1 } },
  ],
  loginNetworks: [],
  domains: [
    { name: 'domains_by_name', key: { domain: 1 }, unique: true },
    { name: 'domains_of_workspace', key: { workspaceId: 1, domain: 1 } },
  ],
  templates: [{ name: 'templates_by_name', key: { workspaceId: 1, name: 1 }, unique: true }],
  images: [{ name: 'images_of_workspace', key: { workspaceId: 1, createdAt: -1, _id: 1 } }],
  imageContents: [],
  imageSums: [],
  contacts: [
    { name: 'contacts_by_email', key: { workspaceId: 1, email: 1 }, unique: true },
    { name: 'contacts_by_hash', key: { workspaceId: 1, emailHash: 1 } },
    { name: 'contacts_of_workspace', key: { workspaceId: 1, _id: 1 } },
    { name: 'contacts_uncounted', key: { workspaceId: 1, _id: 1, counted: 1 }, partial: { counted: false } },
  ],
  anonymising: [],
  listBlocks: [{ name: 'list_blocks_in_order', key: { list: 1, owner: 1, block: 1 }, unique: true }],
  audiences: [
    { name: 'audiences_of_workspace', key: { workspaceId: 1, _id: 1 } },
    { name: 'audiences_by_token', key: { publicToken: 1 } },
  ],
  contactConsents: [{ name: 'consents_of_contact', key: { contactId: 1, at: 1 } }],
  members: [
    { name: 'members_of_audience', key: { audienceId: 1, contactId: 1 }, unique: true },
    { name: 'members_of_contact', key: { contactId: 1 } },
  ],
  engagement: [
    {
      name: 'engagement_of_workspace',
      // The summed fields are part of the key, so that the index alone serves the query.
      key: { workspaceId: 1, hour: 1, contactId: 1, opened: 1, clicked: 1, clicks: 1 },
    },
    {
      name: 'engagement_people',
      // As above, for the counts of people.
      key: { contactId: 1, hour: 1, openedByPeople: 1, clickedByPeople: 1, clicksByPeople: 1 },
    },
  ],
  conversions: [
    {
      name: 'conversions_by_order',
      key: { workspaceId: 1, orderId: 1 },
      unique: true,
      partial: { orderId: { $exists: true } },
    },
    {
      name: 'conversions_by_erased_order',
      key: { workspaceId: 1, orderHash: 1 },
      unique: true,
      partial: { orderHash: { $exists: true } },
    },
    {
      name: 'conversions_by_contact',
      key: { contactId: 1, occurredAt: 1, _id: 1 },
      partial: { contactId: { $gte: 0 } },
    },
    {
      name: 'conversions_by_message',
      key: { messageId: 1, occurredAt: 1, _id: 1 },
      partial: { messageId: { $gt: '' } },
    },
    {
      name: 'conversions_linked',
      key: { workspaceId: 1, occurredAt: 1, _id: 1 },
      partial: { 'link.clickId': { $exists: true } },
    },
    {
      name: 'conversions_of_message',
      key: { 'link.messageId': 1, occurredAt: 1, _id: 1 },
      partial: { 'link.messageId': { $gt: '' } },
    },
    {
      name: 'conversions_of_campaign',
      // With the amount in the key, the index alone gives the revenue of a campaign.
      key: { 'link.campaignId': 1, occurredAt: 1, _id: 1, amount: 1 },
      partial: { 'link.campaignId': { $gte: 0 } },
    },
    {
      name: 'conversions_of_journey',
      key: { 'link.journeyId': 1, occurredAt: 1, _id: 1, amount: 1 },
      partial: { 'link.journeyId': { $gte: 0 } },
    },
    { name: 'conversions_outbox', key: { outboxAt: 1 }, partial: { outboxAt: { $exists: true } } },
  ],
  campaigns: [
    { name: 'campaigns_of_workspace', key: { workspaceId: 1, _id: 1 } },
    {
      name: 'campaigns_asked',
      key: { workspaceId: 1, _id: 1 },
      partial: { status: 'draft', 'approval.state': 'asked' },
    },
    { name: 'campaigns_unlisted', key: { audienceId: 1 }, partial: { 'run.expanded': false, sentAt: { $gte: 0 } } },
  ],
  campaignRecipients: [{ name: 'recipients_of_campaign', key: { campaignId: 1, contactId: 1 }, unique: true }],
  campaignTallies: [],
  journeys: [{ name: 'journeys_of_workspace', key: { workspaceId: 1, _id: 1 } }],
  journeyVersions: [],
  journeyMails: [],
  enrollmentSteps: [
    { name: 'enrollment_steps_in_order', key: { enrollmentId: 1, step: 1 }, unique: true },
    {
      name: 'enrollment_steps_of_message',
      key: { messageId: 1 },
      partial: { messageId: { $type: 'string' } },
    },
  ],
  enrollments: [
    { name: 'enrollments_by_contact', key: { journeyId: 1, contactId: 1 }, unique: true },
    { name: 'enrollments_of_contact', key: { contactId: 1 } },
    { name: 'enrollments_of_workspace', key: { workspaceId: 1, _id: 1 } },
    { name: 'enrollments_due', key: { dueAt: 1 }, partial: { dueAt: { $gte: 0 } } },
  ],
  journeyPosts: [
    { name: 'journey_posts_in_order', key: { journeyId: 1, createdAt: 1, _id: 1 } },
    { name: 'journey_posts_of_contact', key: { contactId: 1 } },
    { name: 'journey_posts_of_workspace', key: { workspaceId: 1, _id: 1 } },
    { name: 'journey_posts_by_age', key: { createdAt: 1 } },
  ],
  webhooks: [
    { name: 'webhooks_of_workspace', key: { workspaceId: 1, _id: 1 } },
    { name: 'webhooks_by_place', key: { workspaceId: 1, place: 1 }, unique: true },
  ],
  webhookEvents: [
    { name: 'webhook_events_feed', key: { workspaceId: 1, seq: 1 }, unique: true },
    { name: 'webhook_events_by_id', key: { workspaceId: 1, _id: 1 } },
    { name: 'webhook_events_by_age', key: { storedAt: 1 } },
  ],
  webhookDeliveries: [
    { name: 'deliveries_of_webhook', key: { webhookId: 1, _id: 1 } },
    { name: 'deliveries_by_state', key: { webhookId: 1, state: 1, event: 1, _id: 1 } },
    { name: 'deliveries_of_message', key: { messageId: 1, _id: 1 } },
    { name: 'deliveries_of_workspace', key: { workspaceId: 1, _id: 1 } },
  ],
  suppressions: [
    { name: 'suppressions_by_address', key: { workspaceId: 1, addressHash: 1, reason: 1 }, unique: true },
    { name: 'suppressions_in_order', key: { workspaceId: 1, createdAt: 1, addressHash: 1, reason: 1 } },
    { name: 'suppressions_by_reason', key: { workspaceId: 1, reason: 1, createdAt: 1, addressHash: 1 } },
  ],
  messages: [
    { name: 'messages_of_workspace', key: { workspaceId: 1, _id: 1 } },
    // A list of every channel merges three ranges, so that each is in order.
    { name: 'messages_by_channel', key: { workspaceId: 1, channel: 1, createdAt: 1, _id: 1 } },
    { name: 'messages_by_status_and_time', key: { workspaceId: 1, status: 1, channel: 1, createdAt: 1, _id: 1 } },
    { name: 'messages_to_contact', key: { contactId: 1, workspaceId: 1, createdAt: 1, _id: 1 } },
    {
      name: 'messages_by_idempotency_key',
      key: { workspaceId: 1, idempotencyKey: 1 },
      unique: true,
      partial: { idempotencyKey: { $exists: true } },
    },
    {
      name: 'messages_queued',
      // The status is part of the key, so that the index alone shows which workspaces wait.
      key: { status: 1, workspaceId: 1, lane: 1, dueAt: 1, _id: 1 },
      partial: { status: 'queued' },
    },
    { name: 'messages_held', key: { heldFor: 1, dueAt: 1, _id: 1 }, partial: { heldFor: { $type: 'string' } } },
    { name: 'messages_by_stage', key: { stage: 1, dueAt: 1 }, partial: { stage: { $exists: true } } },
    {
      name: 'messages_holding_attachments',
      key: { attachmentsUntil: 1 },
      partial: { status: 'queued', attachmentsUntil: { $gte: 0 } },
    },
    {
      name: 'messages_by_last_claim',
      key: { workspaceId: 1, claimedAt: 1 },
      partial: { claimedAt: { $exists: true } },
    },
    {
      name: 'messages_of_campaign',
      // The lane is part of the key, so that the index alone counts. A test mail of a campaign is in another lane.
      key: { lane: 1, campaignId: 1, status: 1, dueAt: 1 },
      partial: { lane: 'campaign' },
    },
    {
      name: 'messages_complained',
      key: { lane: 1, campaignId: 1, status: 1, complainedAt: 1 },
      partial: { lane: 'campaign', complainedAt: { $gte: 0 } },
    },
    {
      name: 'messages_hard',
      key: { lane: 1, campaignId: 1, hardBouncedAt: 1, complainedAt: 1 },
      partial: { lane: 'campaign', hardBouncedAt: { $gte: 0 } },
    },
    {
      name: 'messages_complained_by_time',
      key: { workspaceId: 1, createdAt: 1, _id: 1, complainedAt: 1 },
      partial: { complainedAt: { $gte: 0 } },
    },
    {
      name: 'messages_opened',
      // With what was opened and clicked in the key, the index alone counts.
      key: {
        workspaceId: 1,
        createdAt: 1,
        _id: 1,
        openedAt: 1,
        clickedAt: 1,
        openedByPeopleAt: 1,
        clickedByPeopleAt: 1,
      },
      partial: { openedAt: { $gte: 0 } },
    },
    { name: 'messages_refused', key: { refusedClass: 1, refusedAt: 1 }, partial: { refusedAt: { $gte: 0 } } },
    {
      name: 'messages_full',
      key: { contactId: 1, refusedClass: 1, refusedAt: 1 },
      partial: { refusedAt: { $gte: 0 } },
    },
    { name: 'messages_outbox', key: { outboxAt: 1 }, partial: { outboxAt: { $exists: true } } },
    { name: 'messages_dropping', key: { dropping: 1 }, partial: { dropping: true } },
  ],
  messageHours: [{ name: 'message_hours_in_order', key: { workspaceId: 1, hour: 1 } }],
  unreadReports: [{ name: 'unread_reports_by_time', key: { lastAt: 1 } }],
  bodies: [],
  attachments: [],
  signals: [
    { name: 'signals_of_message', key: { messageId: 1, at: 1, _id: 1 } },
    { name: 'signals_of_contact', key: { contactId: 1, at: 1, _id: 1 }, partial: { contactId: { $gte: 0 } } },
    { name: 'signals_outbox', key: { outboxAt: 1 }, partial: { outboxAt: { $exists: true } } },
  ],
  outbox: [{ name: 'outbox_by_age', key: { outboxAt: 1 } }],
  ledger: [{ name: 'ledger_of_workspace', key: { workspaceId: 1, seq: 1 }, unique: true }],
  accounts: [],
  gates: [{ name: 'gates_of_workspace', key: { workspaceId: 1, _id: 1 } }],
  sendDays: [{ name: 'send_days_of_workspace', key: { workspaceId: 1, day: 1 } }],
  looks: [{ name: 'looks_in_order', key: { shard: 1, at: 1, _id: 1 } }],
  leases: [],
  dueTasks: [
    { name: 'due_tasks_ready', key: { kind: 1, readyAt: 1, _id: 1 } },
    { name: 'due_tasks_of_lane', key: { kind: 1, lane: 1, readyAt: 1, _id: 1 } },
    { name: 'due_tasks_given_up', key: { kind: 1, _id: 1 }, partial: { givenUp: { $exists: true } } },
  ],
  operatorLog: [],
  directory: [
    { name: 'directory_of_kind', key: { kind: 1, key: 1 } },
    { name: 'directory_of_user', key: { user: 1, kind: 1, key: 1 }, partial: { user: { $type: 'string' } } },
    {
      name: 'directory_of_workspace',
      key: { workspaceId: 1, kind: 1, key: 1 },
      partial: { workspaceId: { $type: 'number' } },
    },
    { name: 'directory_by_expiry', key: { expiresAt: 1 } },
  ],
  parked: [],
  groupStarts: [],
};
