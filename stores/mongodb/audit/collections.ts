import type { Document } from 'mongodb';
import type { AuditRows, FindKeys, ScanOwners } from '../../ports/audit-source';
import { toConversion, type ConversionDocument } from '../conversions/conversion-fields';
import { toAccount } from '../ledger/coin-ledger';
import type { AccountDocument, CollectionName, Documents, MessageDocument } from '../database/documents';
import { DERIVED } from './message-faults';
import { AUDITED, toMail, toMessage, toStatus } from './message-rows';

/** How the rows of a collection are read. */
interface Source<N extends keyof AuditRows> {
  from: CollectionName;
  /** Left out: everything. */
  fields?: Document;
  /** The filter of a scan, with its order. */
  scan?: N extends keyof ScanOwners ? Scan<ScanOwners[N]> : never;
  find?: N extends keyof FindKeys ? Finds<FindKeys[N]> : never;
  /** The rows of a document. Left out: one, as it is stored, with its `_id` as its id. */
  decode?: (document: never) => AuditRows[N] | AuditRows[N][];
}
interface Scan<O> {
  filter: (owner: O) => Document;
  sort?: Readonly<Record<string, 1>>;
}
type Finds<K> = { readonly [B in keyof K]: (keys: readonly K[B][]) => Document };

type Part = number | string;
type Key = Part | readonly Part[];
/** A key as it is stored: its parts with colons. */
const stored = (key: Key): Part => (typeof key === 'object' ? key.join(':') : key);
const among =
  (field: string) =>
  (keys: readonly Key[]): Document => ({ [field]: { $in: keys.map(stored) } });
/** Ids that are one of these texts, or start with one and a colon: `;` comes after `:`. */
const under = (keys: readonly Key[]): Document => ({
  $or: keys.map((key) => ({ _id: { $gte: `${stored(key)}`, $lt: `${stored(key)};` } })),
});
/** The ids between the first and the last of these: one range costs less than one for each. */
const within = (keys: readonly Key[]): Document => {
  const texts = keys.map((key) => `${stored(key)}`).sort();
  return { _id: { $gte: texts[0], $lt: `${texts.at(-1)};` } };
};
const ofWorkspace = (sort?: Scan<number>['sort']): Scan<number> => ({
  filter: (workspaceId) => ({ workspaceId }),
  ...(sort && { sort }),
});
const everything = { filter: () => ({}), sort: { _id: 1 } } as const;
const BY_ID = { id: among('_id') };
/** The end of an id behind its first colon. */
const tail = (id: string): string => id.slice(id.indexOf(':') + 1);
const isFilled = { $and: [{ $eq: [{ $type: '$html' }, 'string'] }, { $ne: ['$html', ''] }] };

/** What the audit reads of each collection. */
export const SOURCES: { readonly [N in keyof AuditRows]: Source<N> } = {
  workspaces: {
    from: 'workspaces',
    fields: { _id: 1, rates: 1 },
    find: BY_ID,
    decode: ({ _id: id, rates = [] }: Documents['workspaces']) => ({ id, rates }),
  },
  accounts: {
    from: 'accounts',
    find: BY_ID,
    decode: (document: AccountDocument) => ({ ...toAccount(document._id, document), seq: document.seq }),
  },
  messages: {
    from: 'messages',
    fields: {
      ...AUDITED.projection,
      ...DERIVED,
      history: 1,
      metadata: 1,
      domainId: 1,
      contactId: 1,
      campaignId: 1,
      journeyId: 1,
      journeyVersion: 1,
      journeyStep: 1,
      to: 1,
    },
    scan: ofWorkspace({ _id: 1 }),
    find: BY_ID,
    decode: toMessage,
  },
  mails: {
    from: 'messages',
    fields: {
      workspaceId: 1,
      contactId: 1,
      lane: 1,
      campaignId: 1,
      journeyId: 1,
      journeyStep: 1,
      status: 1,
      openedAt: 1,
      clickedAt: 1,
      openedByPeopleAt: 1,
      clickedByPeopleAt: 1,
    },
    find: {
      ...BY_ID,
      key: among('_id'),
      contactId: among('contactId'),
      campaignId: (ids) => ({ lane: 'campaign', campaignId: { $in: ids } }),
    },
    decode: toMail,
  },
  // This engine counts messages by hour only.
  statuses: {
    from: 'messages',
    fields: {
      status: 1,
      createdAt: 1,
      complainedAt: 1,
      openedAt: 1,
      clickedAt: 1,
      openedByPeopleAt: 1,
      clickedByPeopleAt: 1,
    },
    scan: ofWorkspace({ _id: 1 }),
    decode: toStatus,
  },
  claims: {
    from: 'messages',
    fields: { 'attempts.claimedAt': 1 },
    scan: ofWorkspace({ _id: 1 }),
    decode: ({ attempts }: MessageDocument) => attempts,
  },
  ledger: {
    from: 'ledger',
    scan: ofWorkspace({ seq: 1 }),
    find: { prefix: within },
    decode: ({ _id, workspaceId, kind, amount, messageId, at, ...row }: Documents['ledger']) => ({
      id: tail(_id),
      workspaceId,
      kind,
      amount,
      messageId,
      at,
      seq: row.seq,
    }),
  },
  gates: {
    from: 'gates',
    scan: ofWorkspace({ _id: 1 }),
    find: { key: among('_id') },
    decode: ({ _id, at }: Documents['gates']) => ({ key: tail(_id), at }),
  },
  // A key is stored in its message, so it always has one.
  idempotencyKeys: {
    from: 'messages',
    fields: { idempotencyKey: 1 },
    scan: {
      filter: (workspaceId) => ({ workspaceId, idempotencyKey: { $exists: true } }),
      sort: { _id: 1 },
    },
    decode: ({ _id, idempotencyKey }: MessageDocument) => ({ key: idempotencyKey ?? '', of: _id }),
  },
  // The platform's claims are those of the shards; documents used only for the caps name neither.
  sendDays: {
    from: 'sendDays',
    scan: { filter: () => ({ $or: [{ workspaceId: { $ne: null } }, { _id: /:shard:/ }] }) },
    find: { workspaceId: among('workspaceId') },
    decode: ({ day, workspaceId, claims }: Documents['sendDays']) => ({ day, workspaceId: workspaceId ?? 0, claims }),
  },
  leases: { from: 'leases', fields: { expiresAt: 1 }, scan: everything },
  domains: { from: 'domains', fields: { workspaceId: 1 }, find: BY_ID },
  contacts: {
    from: 'contacts',
    fields: { workspaceId: 1, status: 1, counted: 1 },
    scan: ofWorkspace({ _id: 1 }),
    find: BY_ID,
    decode: ({ _id: id, workspaceId, status, counted }: Documents['contacts']) => ({
      id,
      workspaceId,
      status,
      isCounted: counted,
    }),
  },
  leaving: { from: 'anonymising', fields: { workspaceId: 1 }, find: BY_ID },
  bodies: {
    from: 'bodies',
    fields: { isFilled },
    scan: everything,
    find: { of: among('_id') },
    decode: ({ _id: of, ...body }: { _id: string; isFilled: boolean }) => ({ of, ...body }),
  },
  attachments: {
    from: 'attachments',
    fields: { _id: 1 },
    scan: everything,
    find: { of: under },
    decode: ({ _id }: { _id: string }) => {
      const [of = '', n] = _id.split(':');
      return { of, n: Number(n) };
    },
  },
  audiences: { from: 'audiences', fields: { contactsCount: 1 }, scan: ofWorkspace({ _id: 1 }) },
  members: {
    from: 'members',
    fields: { contactId: 1 },
    scan: { filter: (audienceId) => ({ audienceId }), sort: { contactId: 1 } },
  },
  blocks: {
    from: 'listBlocks',
    fields: { block: 1, n: 1 },
    find: { list: (lists) => ({ $or: lists.map(([list, owner]) => ({ list, owner })) }) },
    decode: ({ block, n }: Documents['listBlocks']) => ({ level: 0, block, n }),
  },
  messageBlocks: { from: 'listBlocks', find: { workspaceId: () => ({ _id: { $in: [] } }) } },
  messageHours: {
    from: 'messageHours',
    find: { workspaceId: (ids) => ({ workspaceId: { $in: ids }, counts: { $exists: true } }) },
    decode: ({ hour, counts }: Documents['messageHours']) => ({ hour, ...counts! }),
  },
  engagement: {
    from: 'engagement',
    scan: ofWorkspace(),
    find: { contactId: among('contactId') },
    decode: ({ lastAt, ...row }: Documents['engagement']) => ({ ...row, lastAt: lastAt ?? null }),
  },
  signals: {
    from: 'signals',
    fields: { messageId: 1, kind: 1, at: 1, link: 1, machine: 1 },
    find: { messageId: among('messageId') },
    decode: ({ _id: id, machine = null, ...signal }: Documents['signals']) =>
      ({ id, ...signal, machine }) as AuditRows['signals'],
  },
  campaigns: {
    from: 'campaigns',
    fields: { status: 1, sentAt: 1, run: 1, isFilled },
    scan: ofWorkspace({ _id: 1 }),
    find: BY_ID,
  },
  tallies: { from: 'campaignTallies', find: { campaignId: among('_id') } },
  recipients: {
    from: 'campaignRecipients',
    fields: { contactId: 1, state: 1, messageId: 1 },
    scan: { filter: (campaignId) => ({ campaignId }), sort: { contactId: 1 } },
  },
  journeys: { from: 'journeys', fields: { status: 1 }, find: BY_ID },
  journeyVersions: {
    from: 'journeyVersions',
    fields: { steps: 1 },
    find: { key: among('_id') },
    decode: ({ _id, steps }: Documents['journeyVersions']) => {
      const [journeyId, version] = _id.split(':').map(Number);
      return { journeyId: journeyId!, version: version!, steps: Array.isArray(steps) ? steps : null };
    },
  },
  journeyMails: {
    from: 'journeyMails',
    fields: { _id: 1 },
    find: { key: among('_id') },
    decode: ({ _id: key }: { _id: string }) => ({ key }),
  },
  enrollments: { from: 'enrollments', scan: ofWorkspace({ _id: 1 }), find: BY_ID },
  enrollmentSteps: { from: 'enrollmentSteps', find: { enrollmentId: among('enrollmentId') } },
  posts: {
    from: 'journeyPosts',
    fields: { enrollmentId: 1, step: 1, state: 1, 'attempts.error': 1 },
    find: { enrollmentId: under },
  },
  conversions: {
    from: 'conversions',
    scan: { filter: (workspaceId) => ({ workspaceId, unlinked: { $exists: false } }), sort: { _id: 1 } },
    decode: (document: ConversionDocument) => toConversion(document),
  },
  webhooks: { from: 'webhooks', fields: { eventTypes: 1, isActive: 1, enabledAt: 1 }, scan: ofWorkspace({ _id: 1 }) },
  events: {
    from: 'webhookEvents',
    fields: { event: 1, occurredAt: 1, storedAt: 1, webhooks: 1 },
    scan: ofWorkspace({ seq: 1 }),
  },
  deliveries: {
    from: 'webhookDeliveries',
    fields: { webhookId: 1, eventId: 1, occurredAt: 1, state: 1, allowed: 1, 'attempts.error': 1 },
    scan: ofWorkspace({ _id: 1 }),
    find: BY_ID,
  },
  tasks: {
    from: 'dueTasks',
    fields: { kind: 1, lane: 1 },
    scan: { filter: (kind) => under([kind]), sort: { _id: 1 } },
    find: { key: among('_id') },
    decode: ({ _id, kind, lane }: Documents['dueTasks']) => ({ kind, id: tail(_id), lane }),
  },
};
