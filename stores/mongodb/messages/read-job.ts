import type { Attachment, HandOffJob, Variables } from '../../../domain/messages/message';
import type { MessageStore } from '../../ports/message-store';
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
  const byLimit = new Map<number, (id: string) => Promise<HandOffJob | null>>();
  return async (id, upTo) => {
    if (upTo === undefined) return (await readJobs(mongo, [id], Infinity)).get(id) ?? null;
    let read = byLimit.get(upTo);
    if (!read) byLimit.set(upTo, (read = groupedReads((ids) => readJobs(mongo, ids, upTo), MAX_JOBS)));
    return read(id);
  };
}

async function readJobs(mongo: Mongo, ids: readonly string[], upTo: number): Promise<Map<string, HandOffJob>> {
  const { db } = mongo;
  const wanted = { _id: { $in: [...ids] } };
  const [found, bodies] = await Promise.all([
    documents(db, 'messages')
      .find(wanted, { projection: { ...MESSAGE.projection, dropping: 1 } })
      .toArray(),
    readBodies(mongo, ids, upTo),
  ]);
  const held = found.filter(({ attachmentsUntil, dropping }) => attachmentsUntil !== null && dropping === undefined);
  const campaigns = await readCampaigns(mongo, found);
  const shared = [...campaignBodies(campaigns, found, bodies, upTo), ...(await journeyBodies(mongo, found, upTo))];
  const bodyOf = byId([...bodies, ...shared]);
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
    return [id, { ...whose, body: body ? bodyFrom(body) : null, attachments: files?.attachments ?? [] }];
  });
  return new Map(jobs);
}

interface HeldAttachments {
  bytes: number;
  attachments: Attachment[];
}

/** A body, or only its size in bytes when that is above the limit. */
interface SizedBody {
  _id: string;
  bytes: number;
  html?: string;
  text?: string | null;
  variables?: string;
}

const bodyFrom = ({ html, text, variables }: SizedBody): HandOffJob['body'] =>
  html === undefined
    ? null
    : {
        html,
        text: text ?? null,
        ...(variables !== undefined && { variables: JSON.parse(variables) as Variables }),
      };

const BODY_BYTES = { $add: [{ $strLenBytes: '$html' }, { $strLenBytes: { $ifNull: ['$text', ''] } }] };

type CampaignContent = Pick<CampaignDocument, 'html' | 'text' | 'preheader'>;

/** The content of the campaigns of these messages, each read once for all of them. */
async function readCampaigns(
  { db }: Mongo,
  found: readonly { campaignId: number | null }[],
): Promise<Map<number, CampaignContent>> {
  const ids = [...new Set(found.flatMap(({ campaignId }) => campaignId ?? []))];
  if (ids.length === 0) return new Map();
  const campaigns = await documents(db, 'campaigns')
    .find({ _id: { $in: ids } }, { projection: { html: 1, text: 1, preheader: 1 } })
    .toArray();
  return new Map(campaigns.map(({ _id, html, text, preheader }) => [_id, { html, text, preheader }]));
}

/** Messages of a campaign's run have no content of their own, but that of their campaign. */
function campaignBodies(
  campaigns: ReadonlyMap<number, CampaignContent>,
  found: readonly Pick<MessageDocument, '_id' | 'lane' | 'campaignId'>[],
  own: readonly SizedBody[],
  upTo: number,
): SizedBody[] {
  const known = byId(own);
  return found.flatMap(({ _id, lane, campaignId }) => {
    if (lane !== 'campaign' || campaignId === null || known.has(_id)) return [];
    const content = campaigns.get(campaignId);
    if (content?.html == null) return [];
    return [sizedBody(_id, { html: content.html, text: content.text }, upTo)];
  });
}

/** Messages of a journey have the content of their step, each read once for all of them. */
async function journeyBodies(
  { db }: Mongo,
  found: readonly Pick<MessageDocument, '_id' | 'journeyId' | 'journeyVersion' | 'journeyStep'>[],
  upTo: number,
): Promise<SizedBody[]> {
  const mails = found.flatMap(({ _id, journeyId, journeyVersion, journeyStep }) =>
    journeyId == null || journeyVersion === null || journeyStep === null
      ? []
      : [{ _id, mail: mailId(journeyId, journeyVersion, journeyStep) }],
  );
  if (mails.length === 0) return [];
  const contents = await documents(db, 'journeyMails')
    .find({ _id: { $in: [...new Set(mails.map(({ mail }) => mail))] } })
    .toArray();
  const known = byId(contents);
  return mails.flatMap(({ _id, mail }) => {
    const content = known.get(mail);
    return content ? [sizedBody(_id, content, upTo)] : [];
  });
}

function sizedBody(_id: string, { html, text }: { html: string; text: string | null }, upTo: number): SizedBody {
  const bytes = Buffer.byteLength(html) + Buffer.byteLength(text ?? '');
  return { _id, bytes, ...(bytes <= upTo ? { html, text } : {}) };
}

function readBodies({ db }: Mongo, ids: readonly string[], upTo: number): Promise<SizedBody[]> {
  const withinLimit = (field: string): object => ({ $cond: [{ $lte: ['$bytes', upTo] }, `$${field}`, '$$REMOVE'] });
  return documents(db, 'bodies')
    .aggregate<SizedBody>([
      { $match: { _id: { $in: [...ids] } } },
      { $set: { bytes: BODY_BYTES } },
      { $project: { bytes: 1, variables: 1, html: withinLimit('html'), text: withinLimit('text') } },
    ])
    .toArray();
}

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
