import { AUDITED_FACTS } from '../../../domain/audit/message-record';
import { MESSAGE_STATUSES } from '../../../domain/messages/message';
import { ENGAGEMENT_COUNTS } from '../../../domain/messages/message-hour';
import type { AuditRows, FindKeys, ScanOwners } from '../../ports/audit-source';
import { columnName } from '../database/column-definitions';
import { readHistory } from '../messages/message-codec';
import { STATE } from '../messages/message-fields';

/** How the rows of a collection are read; `t` is its table, `v.value` a key that is looked for. */
interface Table<N extends keyof AuditRows> {
  from: string;
  /** The expression of each field. */
  fields: Readonly<Record<string, string>>;
  /** The WHERE clause of a scan, with one placeholder for the owner, and its order. */
  scan?: N extends keyof ScanOwners ? string : never;
  find?: N extends keyof FindKeys ? Readonly<Record<keyof FindKeys[N], string>> : never;
  /** Left out: the row is as it is read. */
  decode?: (row: never) => AuditRows[N];
}

/** Fields whose columns are named after them. */
const named = (...fields: readonly string[]): Record<string, string> =>
  Object.fromEntries(fields.map((field) => [field, `t.${columnName(field)}`]));
/** An expression for the JSON of an object with these fields. */
export const objectOf = (fields: Readonly<Record<string, string>>): string =>
  `json_object(${Object.entries(fields)
    .map(([name, expression]) => `'${name}', ${expression}`)
    .join(', ')})`;
const flag = (condition: string): string => `json(iif(${condition}, 'true', 'false'))`;
/** JSON as it is stored; null when it is damaged. */
const json = (column: string): string => `iif(json_valid(t.${column}), json(t.${column}), NULL)`;
/** The condition for a key of several columns. */
const key = (...columns: readonly string[]): string =>
  columns.map((column, n) => `t.${column} = v.value ->> ${n}`).join(' AND ');

const OF_WORKSPACE = 't.workspace_id = ?';
const ALL = '? IS NULL';
const BY_ID = { id: 't.id = v.value' };
const isFilled = flag('octet_length(t.html) > 0');

const ATTEMPT = {
  messageId: 't.id',
  workspaceId: 'a.workspace_id',
  n: 'a.n',
  claimedAt: 'a.claimed_at',
  fencedAt: 'a.fenced_at',
  finishedAt: 'a.finished_at',
  outcome: 'a.outcome',
  reply: 'NULL',
};
const MESSAGE: Table<'messages'> = {
  from: 'messages t',
  fields: {
    message: objectOf({ ...named('id', ...AUDITED_FACTS, ...STATE.names), unknown: flag('t.unknown') }),
    key: 't.seq',
    ...named('contactId', 'domainId', 'campaignId', 'journeyId', 'journeyVersion', 'journeyStep'),
    ...named('history', 'metadata'),
    attempts: `json((SELECT json_group_array(${objectOf(ATTEMPT)}) FROM attempts a WHERE a.seq = t.seq))`,
    hasRecipient: flag('t.recipient IS NOT NULL'),
    isDropping: flag('FALSE'),
    // This engine finds rows only by indexes, which SQLite maintains itself.
    faults: 'json_array()',
  },
  scan: `${OF_WORKSPACE} ORDER BY t.seq`,
  find: BY_ID,
  decode: (row: Omit<AuditRows['messages'], 'history'> & { history: string }) => ({
    ...row,
    history: readHistory(row.history),
  }),
};

/** Steps from day to day, since the key begins with the day: the cost does not grow with the number of workspaces. */
const DAYS = `(WITH RECURSIVE days (day) AS (SELECT min(day) FROM send_days UNION ALL
  SELECT (SELECT min(day) FROM send_days s WHERE s.day > days.day) FROM days WHERE day IS NOT NULL) SELECT day FROM days)`;

/** What the audit reads of each table. */
export const TABLES: { readonly [N in keyof AuditRows]: Table<N> } = {
  workspaces: { from: 'workspaces t', fields: { ...named('id'), rates: 'json(t.rates)' }, find: BY_ID },
  accounts: {
    from: 'balances t',
    fields: {
      ...named('workspaceId', 'balance'),
      purchase: `iif(t.purchased = 1, ${objectOf({ expiresAt: 't.purchase_expires_at' })}, NULL)`,
      seq: 'NULL',
    },
    find: { id: 't.workspace_id = v.value' },
    decode: ({ purchase, ...account }: AuditRows['accounts']) => (purchase ? { ...account, purchase } : account),
  },
  messages: MESSAGE,
  mails: {
    from: 'messages t',
    fields: {
      key: 't.seq',
      ...named('id', 'workspaceId', 'contactId', 'lane', 'campaignId', 'journeyId', 'journeyStep', 'status'),
      noted: 'NULL',
    },
    find: {
      ...BY_ID,
      key: 't.seq = v.value',
      contactId: 't.contact_id = v.value',
      campaignId: `t.lane = 'campaign' AND t.campaign_id IS NOT NULL AND t.campaign_id = v.value`,
    },
  },
  statuses: {
    from: `messages t LEFT JOIN opened_messages o
      ON o.workspace_id = t.workspace_id AND o.created_at = t.created_at AND o.seq = t.seq`,
    fields: {
      key: 't.seq',
      status: 't.status',
      createdAt: 't.created_at',
      opened: 'o.seq IS NOT NULL',
      clicked: 'ifnull(o.clicked, 0)',
      openedByPeople: 'ifnull(o.opened_by_people, 0)',
      clickedByPeople: 'ifnull(o.clicked_by_people, 0)',
      complained: '0',
    },
    scan: OF_WORKSPACE,
  },
  claims: { from: 'attempts t', fields: named('claimedAt'), scan: OF_WORKSPACE },
  ledger: {
    from: 'ledger t',
    fields: { ...named('id', 'workspaceId', 'kind', 'amount', 'messageId', 'at'), seq: 'NULL' },
    scan: `${OF_WORKSPACE} ORDER BY t.seq`,
    find: { prefix: `t.workspace_id = v.value ->> 0 AND t.id >= v.value ->> 1 AND t.id < (v.value ->> 1) || ';'` },
  },
  gates: {
    from: 'gates t',
    fields: named('key', 'at'),
    scan: OF_WORKSPACE,
    find: { key: key('workspace_id', 'key') },
  },
  idempotencyKeys: {
    from: 'idempotency t',
    fields: { key: 't.key', of: 't.seq' },
    scan: `${OF_WORKSPACE} ORDER BY t.seq`,
  },
  sendDays: {
    from: 'send_days t',
    fields: named('day', 'workspaceId', 'claims'),
    scan: ALL,
    find: { workspaceId: `t.workspace_id = v.value AND t.day IN ${DAYS}` },
  },
  leases: { from: 'leases t', fields: named('expiresAt'), scan: ALL },
  domains: { from: 'domains t', fields: named('id', 'workspaceId'), find: BY_ID },
  contacts: {
    from: 'contacts t',
    fields: { ...named('id', 'workspaceId', 'status'), isCounted: flag('TRUE') },
    scan: `${OF_WORKSPACE} ORDER BY t.id`,
    find: BY_ID,
  },
  leaving: {
    from: 'anonymising t',
    fields: { id: 't.contact_id', ...named('workspaceId') },
    find: { id: 't.contact_id = v.value' },
  },
  bodies: { from: 'bodies t', fields: { of: 't.seq', isFilled }, scan: ALL, find: { of: 't.seq = v.value' } },
  attachments: {
    from: 'attachments t',
    fields: { of: 't.seq', n: 't.n' },
    scan: ALL,
    find: { of: 't.seq = v.value' },
  },
  audiences: { from: 'audiences t', fields: named('id', 'contactsCount'), scan: OF_WORKSPACE },
  members: {
    from: 'audience_members t',
    fields: named('contactId'),
    scan: 't.audience_id = ? ORDER BY t.contact_id',
  },
  blocks: { from: 'list_blocks t', fields: named('level', 'block', 'n'), find: { list: key('list', 'owner') } },
  messageBlocks: {
    from: 'message_blocks t',
    fields: named('level', 'block', ...MESSAGE_STATUSES),
    find: { workspaceId: 't.workspace_id = v.value' },
  },
  messageHours: {
    from: 'message_hours t',
    fields: { ...named('hour', ...MESSAGE_STATUSES, ...ENGAGEMENT_COUNTS), complained: '0' },
    find: { workspaceId: 't.workspace_id = v.value' },
  },
  engagement: {
    from: 'engagement t',
    fields: {
      ...named('contactId', 'workspaceId', 'hour', 'opened', 'clicked', 'clicks', 'lastAt'),
      ...named('openedByPeople', 'clickedByPeople', 'clicksByPeople'),
    },
    scan: OF_WORKSPACE,
    find: { contactId: 't.contact_id = v.value' },
  },
  signals: {
    from: 'signals t',
    fields: named('id', 'messageId', 'kind', 'at', 'link', 'machine'),
    find: { messageId: 't.message_id = v.value' },
  },
  campaigns: {
    from: 'campaigns t',
    fields: {
      ...named('id', 'status', 'sentAt'),
      run: objectOf({ ...named('rows', 'skipped', 'fed', 'cancelled'), expanded: flag('t.expanded') }),
      isFilled,
    },
    scan: OF_WORKSPACE,
    find: BY_ID,
  },
  tallies: {
    from: 'campaigns t',
    fields: named('opens', 'clicks', 'unsubscribes', 'opensByPeople', 'clicksByPeople'),
    find: { campaignId: 't.id = v.value' },
  },
  recipients: {
    from: 'campaign_recipients t',
    fields: named('contactId', 'state', 'messageId'),
    scan: 't.campaign_id = ? ORDER BY t.contact_id',
  },
  journeys: { from: 'journeys t', fields: named('id', 'status'), find: BY_ID },
  journeyVersions: {
    from: 'journey_versions t',
    fields: { ...named('journeyId', 'version'), steps: json('steps') },
    find: { key: key('journey_id', 'version') },
  },
  journeyMails: {
    from: 'journey_mails t',
    fields: { key: `t.journey_id || ':' || t.version || ':' || t.step` },
    find: { key: key('journey_id', 'version', 'step') },
  },
  enrollments: {
    from: 'enrollments t',
    fields: {
      ...named('id', 'workspaceId', 'journeyId', 'version', 'contactId', 'status', 'reason', 'step'),
      ...named('since', 'dueAt', 'goalAt', 'enrolledAt', 'endedAt'),
    },
    scan: `${OF_WORKSPACE} ORDER BY t.id`,
    find: BY_ID,
  },
  enrollmentSteps: {
    from: 'enrollment_steps t',
    fields: named('enrollmentId', 'step', 'type', 'at', 'outcome', 'messageId'),
    find: { enrollmentId: 't.enrollment_id = v.value' },
  },
  posts: {
    from: 'journey_posts t',
    fields: { ...named('enrollmentId', 'step', 'state'), attempts: json('attempts') },
    find: { enrollmentId: 't.enrollment_id = v.value' },
  },
  conversions: {
    from: 'conversions t',
    fields: {
      ...named('id', 'workspaceId', 'amount', 'messageId', 'contactId', 'occurredAt', 'receivedAt'),
      link: `iif(t.click_id IS NULL, NULL, ${objectOf({
        clickId: 't.click_id',
        messageId: 't.clicked_message_id',
        ...named('clickedAt', 'campaignId', 'journeyId'),
      })})`,
    },
    scan: `${OF_WORKSPACE} AND t.unlinked = 0`,
  },
  webhooks: {
    from: 'webhooks t',
    fields: {
      ...named('id', 'enabledAt'),
      eventTypes: `json('["' || replace(t.event_types, ',', '","') || '"]')`,
      isActive: flag('t.is_active'),
    },
    scan: OF_WORKSPACE,
  },
  events: {
    from: 'webhook_events t',
    fields: { ...named('id', 'event', 'occurredAt', 'storedAt'), webhooks: json('webhooks') },
    scan: `${OF_WORKSPACE} ORDER BY t.seq`,
  },
  deliveries: {
    from: 'webhook_deliveries t',
    fields: {
      ...named('id', 'webhookId', 'eventId', 'occurredAt', 'state', 'allowed'),
      attempts: json('attempts'),
    },
    scan: OF_WORKSPACE,
    find: BY_ID,
  },
  tasks: {
    from: 'due_tasks t',
    fields: named('kind', 'id', 'lane'),
    scan: 't.kind = ? ORDER BY t.id',
    find: { key: key('kind', 'id') },
  },
};
