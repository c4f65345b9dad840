import type { Attachment, HandOffJob, MessageBody, Variables } from '../../../domain/messages/message';
import type { MessageStore } from '../../ports/message-store';
import { SharedBodies, type SharedBody } from '../../shared/shared-bodies';
import { attachmentBytes, readAttachments } from './attachments';
import type { Mongo } from '../database/client';
import { toContact } from '../contacts/contact-store';
import type { CampaignDocument } from '../campaigns/campaign-documents';
import { mailId } from '../journeys/enrollment-fields';
import { documents, type MessageDocument } from '../database/documents';
import { byId, groupedReads } from '../transactions/grouped-reads';
import { MESSAGE } from './message-fields';

/** The bodies of this many messages fit into memory together, whatever their size. */
const MAX_JOBS = 40;

/**
 * Reads what a hand-off needs (MessageStore.job); concurrent calls with the same limit are read together, and calls
 * without a limit alone.
 */
export function jobReader(mongo: Mongo): MessageStore['job'] {
  const shared = new SharedBodies();
  const byLimit = new Map<number, (id: string) => Promise<HandOffJob | null>>();
  return async (id, upTo) => {
    if (upTo === undefined) return (await readJobs(mongo, shared, [id], Infinity)).get(id) ?? null;
    let read = byLimit.get(upTo);
    if (!read) byLimit.set(upTo, (read = groupedReads((ids) => readJobs(mongo, shared, ids, upTo), MAX_JOBS)));
    return read(id);
  };
}

async function readJobs(
  mongo: Mongo,
  shared: SharedBodies,
  ids: readonly string[],
  upTo: number,
): Promise<Map<string, HandOffJob>> {
  const { db } = mongo;
  const wanted = { _id: { $in: [...ids] } };
  const [found, bodies] = await Promise.all([
    documents(db, 'messages')
      .find(wanted, { projection: { ...MESSAGE.projection, dropping: 1 } })
      .toArray(),
    readBodies(mongo, ids, upTo),
  ]);
  const held = found.filter(({ attachmentsUntil, dropping }) => attachmentsUntil !== null && dropping === undefined);
  const campaigns = await readCampaigns(mongo, shared, found);
  const ofCampaigns = campaignBodies(campaigns, shared, found, bodies);
  const bodyOf = byId([...bodies, ...ofCampaigns, ...(await journeyBodies(mongo, shared, found))]);
  const [contacts, attachments] = await Promise.all([
    readContacts(
      mongo,
      found.map(({ contactId }) => contactId),
    ),
    Promise.all(
      held.map(async ({ _id: id }): Promise<[string, HeldAttachments]> => {
        const bytes = upTo === Infinity ? 0 : await attachmentBytes(mongo, id);
        const fits = (bodyOf.get(id)?.bytes ?? 0) + bytes <= upTo;
        return [id, { bytes, attachments: fits ? await readAttachments(mongo, id) : [] }];
      }),
    ),
  ]);
  const attachmentsOf = new Map(attachments);
  const jobs = found.map((document): [string, HandOffJob] => {
    const { _id: id, contactId, workspaceId, campaignId } = document;
    const contact = contacts.get(contactId);
    const body = bodyOf.get(id);
    const files = attachmentsOf.get(id);
    const size = { body: body?.bytes ?? 0, attachments: files?.bytes ?? 0 };
    const whose = {
      message: MESSAGE.decode(document),
      contact: contact?.workspaceId === workspaceId ? toContact(contact) : null,
      preheader: (campaignId !== null && campaigns.get(campaignId)?.preheader) || null,
    };
    if (size.body + size.attachments > upTo) return [id, { ...whose, body: null, attachments: [], withheld: size }];
    return [id, { ...whose, body: body?.body ?? null, attachments: files?.attachments ?? [] }];
  });
  return new Map(jobs);
}

interface HeldAttachments {
  bytes: number;
  attachments: Attachment[];
}

/** A body of a message; null when its size in bytes is above the limit. */
interface SizedBody {
  _id: string;
  bytes: number;
  body: MessageBody | null;
}

const BODY_BYTES = { $add: [{ $strLenBytes: '$html' }, { $strLenBytes: { $ifNull: ['$text', ''] } }] };

interface CampaignContent
  extends Partial<Pick<CampaignDocument, 'html' | 'text'>>, Pick<CampaignDocument, 'preheader'> {
  /** Kept here, since it may be forgotten meanwhile. */
  known: SharedBody | undefined;
}

const campaignKey = (id: number): string => `campaign ${id}`;

/** The content of the campaigns of these messages, unless all of it is known. */
async function readCampaigns(
  { db }: Mongo,
  shared: SharedBodies,
  found: readonly { campaignId: number | null }[],
): Promise<Map<number, CampaignContent>> {
  const ids = [...new Set(found.flatMap(({ campaignId }) => campaignId ?? []))];
  if (ids.length === 0) return new Map();
  const known = new Map(ids.map((id) => [id, shared.get(campaignKey(id))]));
  const areKnown = [...known.values()].every((content) => content !== undefined);
  const campaigns = await documents(db, 'campaigns')
    .find({ _id: { $in: ids } }, { projection: { preheader: 1, ...(!areKnown && { html: 1, text: 1 }) } })
    .toArray();
  return new Map(campaigns.map(({ _id, ...content }) => [_id, { ...content, known: known.get(_id) }]));
}

/** Messages of a campaign's run have no content of their own, but that of their campaign. */
function campaignBodies(
  campaigns: ReadonlyMap<number, CampaignContent>,
  shared: SharedBodies,
  found: readonly Pick<MessageDocument, '_id' | 'lane' | 'campaignId'>[],
  own: readonly SizedBody[],
): SizedBody[] {
  const known = byId(own);
  return found.flatMap(({ _id, lane, campaignId }) => {
    if (lane !== 'campaign' || campaignId === null || known.has(_id)) return [];
    const { html, text = null, known: before } = campaigns.get(campaignId) ?? {};
    const key = campaignKey(campaignId);
    const content = before ?? shared.get(key) ?? (html == null ? null : shared.keep(key, { html, text }));
    return content ? [{ _id, ...content }] : [];
  });
}

/** Messages of a journey have the content of their step, each read once for all of them. */
async function journeyBodies(
  { db }: Mongo,
  shared: SharedBodies,
  found: readonly Pick<MessageDocument, '_id' | 'journeyId' | 'journeyVersion' | 'journeyStep'>[],
): Promise<SizedBody[]> {
  const mails = found.flatMap(({ _id, journeyId, journeyVersion, journeyStep }) =>
    journeyId == null || journeyVersion === null || journeyStep === null
      ? []
      : [{ _id, mail: mailId(journeyId, journeyVersion, journeyStep) }],
  );
  if (mails.length === 0) return [];
  const contents = new Map(mails.map(({ mail }) => [mail, shared.get(journeyKey(mail))]));
  const unknown = [...contents].flatMap(([mail, content]) => (content ? [] : [mail]));
  for (const content of unknown.length === 0 ? [] : await readJourneyMails(db, unknown)) {
    contents.set(content._id, shared.keep(journeyKey(content._id), content));
  }
  return mails.flatMap(({ _id, mail }) => {
    const content = contents.get(mail);
    return content ? [{ _id, ...content }] : [];
  });
}

const journeyKey = (mail: string): string => `journey ${mail}`;

const readJourneyMails = (db: Mongo['db'], ids: readonly string[]) =>
  documents(db, 'journeyMails')
    .find({ _id: { $in: [...ids] } })
    .toArray();

async function readBodies({ db }: Mongo, ids: readonly string[], upTo: number): Promise<SizedBody[]> {
  const withinLimit = (field: string): object => ({ $cond: [{ $lte: ['$bytes', upTo] }, `$${field}`, '$$REMOVE'] });
  const found = await documents(db, 'bodies')
    .aggregate<StoredBody>([
      { $match: { _id: { $in: [...ids] } } },
      { $set: { bytes: BODY_BYTES } },
      { $project: { bytes: 1, variables: 1, html: withinLimit('html'), text: withinLimit('text') } },
    ])
    .toArray();
  return found.map(({ _id, bytes, ...stored }) => ({ _id, bytes, body: bodyFrom(stored) }));
}

interface StoredBody extends Pick<SizedBody, '_id' | 'bytes'> {
  html?: string;
  text?: string | null;
  variables?: string;
}

const bodyFrom = ({ html, text, variables }: Omit<StoredBody, '_id' | 'bytes'>): MessageBody | null =>
  html === undefined
    ? null
    : { html, text: text ?? null, ...(variables !== undefined && { variables: JSON.parse(variables) as Variables }) };

async function readContacts({ db }: Mongo, ids: readonly number[]) {
  const unique = [...new Set(ids)];
  return byId(
    unique.length === 0
      ? []
      : await documents(db, 'contacts')
          .find({ _id: { $in: unique } })
          .toArray(),
  );
}
