import { decideChange } from '../../shared/decide-change';
import type { Acceptance, AcceptOutcome, MessageStore } from '../../ports/message-store';
import { acceptMessages, type AcceptParts } from './accept-messages';
import { applyChange, readMessage, type ChangeParts } from './change-message';
import { documents } from '../database/documents';
import { Grouped } from '../transactions/grouped';
import { guarded } from '../transactions/guard';
import { listMessages } from './list-messages';
import { MESSAGE } from './message-fields';
import { jobReader } from './read-job';

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
      const found = await messages.find({ _id: { $in: [...ids] } }, { projection: MESSAGE.projection }).toArray();
      const byId = new Map(found.map((document) => [document._id, document]));
      return ids.flatMap((id) => {
        const document = byId.get(id);
        return document?.workspaceId === workspaceId ? [MESSAGE.decode(document)] : [];
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
