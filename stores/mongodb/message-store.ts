import { decideChange } from '../ports/decide-change';
import type { Acceptance, AcceptOutcome, ListQuery, MessagePage, MessageStore } from '../ports/message-store';
import { acceptMessages, type AcceptParts } from './accept-messages';
import { applyChange, readMessage, type ChangeParts } from './change-message';
import type { Mongo } from './client';
import { documents } from './documents';
import { Grouped } from './grouped';
import { guarded } from './guard';
import { MESSAGE_FIELDS, toMessage } from './message-documents';
import { jobReader } from './read-jobs';

const MAX_GROUP = 500;
/** Bytes of content that one transaction carries. */
const MAX_GROUP_BYTES = 16 * 1_048_576;

/** The acceptances that wait share transactions. */
export const groupedAccepts = (parts: AcceptParts): Grouped<Acceptance, AcceptOutcome> =>
  new Grouped((items, how) => acceptMessages(parts, items, how), {
    maxItems: MAX_GROUP,
    aloneAtOnce: 4,
    weigh: ({ body, attachments }) =>
      body.html.length + (body.text?.length ?? 0) + attachments.reduce((sum, { content }) => sum + content.length, 0),
    maxWeight: MAX_GROUP_BYTES,
  });

/** MongoDB driver of MessageStore. */
export function messageStore(
  parts: AcceptParts & ChangeParts,
  accepts: Grouped<Acceptance, AcceptOutcome>,
): MessageStore {
  const { mongo } = parts;
  const messages = documents(mongo.db, 'messages');
  return guarded<MessageStore>({
    accept: (acceptance) => accepts.submit(acceptance),
    findByIdempotencyKey: async (workspaceId, idempotencyKey) => {
      const found = await messages.findOne({ workspaceId, idempotencyKey }, { projection: { status: 1 } });
      return found && { id: found._id, status: found.status };
    },
    get: (id) => readMessage(mongo, id),
    getMany: async (workspaceId, ids) => {
      const found = await messages.find({ _id: { $in: [...ids] } }, { projection: MESSAGE_FIELDS }).toArray();
      const byId = new Map(found.map((document) => [document._id, document]));
      return ids.flatMap((id) => {
        const document = byId.get(id);
        return document?.workspaceId === workspaceId ? [toMessage(document)] : [];
      });
    },
    list: (workspaceId, query) => listMessages(mongo, workspaceId, query),
    history: async (id) => (await messages.findOne({ _id: id }, { projection: { _id: 0, history: 1 } }))?.history ?? [],
    attempts: async (id) => {
      const found = await messages.findOne({ _id: id }, { projection: { workspaceId: 1, attempts: 1 } });
      return (found?.attempts ?? []).map((attempt) => ({ messageId: id, workspaceId: found!.workspaceId, ...attempt }));
    },
    job: jobReader(mongo),
    links: async (id) => (await messages.findOne({ _id: id }, { projection: { _id: 0, links: 1 } }))?.links ?? [],
    change: (id, decide, known) =>
      decideChange(
        () => readMessage(mongo, id),
        (decidedOn, change) => applyChange(parts, decidedOn, change),
        decide,
        known,
      ),
  });
}

async function listMessages(mongo: Mongo, workspaceId: number, query: ListQuery): Promise<MessagePage> {
  const { status, offset, limit } = query;
  const messages = documents(mongo.db, 'messages');
  const filter = status === undefined ? { workspaceId } : { workspaceId, status };
  const page = messages.find(filter, { projection: MESSAGE_FIELDS }).sort({ _id: -1 }).skip(offset).limit(limit);
  const [total, items] = await Promise.all([messages.countDocuments(filter), page.toArray()]);
  return { total, items: items.map(toMessage) };
}
