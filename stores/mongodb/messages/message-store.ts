import type { Message, MessageStatus } from '../../../domain/messages/message';
import { decideChange } from '../../shared/decide-change';
import type { Acceptance, AcceptOutcome, MessageStore } from '../../ports/message-store';
import { acceptMessages, type AcceptParts } from './accept-messages';
import { applyChange, readMessage, type ChangeParts } from './change-message';
import type { Mongo } from '../database/client';
import { documents } from '../database/documents';
import { Grouped } from '../transactions/grouped';
import { groupedReads } from '../transactions/grouped-reads';
import { guarded } from '../transactions/guard';
import { listMessages } from './list-messages';
import { MESSAGE } from './message-fields';
import { jobReader } from './read-job';

/**
 * The most messages in one transaction, and bytes of content. A list is never split, and may exceed this on its own.
 */
const MAX_GROUP = 500;
const MAX_GROUP_BYTES = 16 * 1_048_576;
/** A message weighs its bytes, but at least this, so that one limit covers both. */
const LEAST_WEIGHT = Math.ceil(MAX_GROUP_BYTES / MAX_GROUP);

type GroupedAccepts = Grouped<readonly Acceptance[], AcceptOutcome[]>;

/** Waiting lists of acceptances share transactions. */
export const groupedAccepts = (parts: AcceptParts): GroupedAccepts =>
  new Grouped(
    async (lists, how) => {
      const outcomes = await acceptMessages(parts, lists.flat(), how);
      return lists.map(({ length }) => outcomes.splice(0, length));
    },
    {
      maxItems: MAX_GROUP,
      aloneAtOnce: 4,
      weigh: (list) => list.reduce((sum, acceptance) => sum + weightOf(acceptance), 0),
      maxWeight: MAX_GROUP_BYTES,
    },
  );

function weightOf({ body, attachments }: Acceptance): number {
  const files = attachments.reduce((sum, { content }) => sum + content.length, 0);
  return Math.max((body?.html.length ?? 0) + (body?.text?.length ?? 0) + files, LEAST_WEIGHT);
}

/**
 * A primary that was just replaced, and does not know it, may not have the message yet. This read makes it ask the
 * others first, which is too slow for every message, and right for one that was not found.
 */
async function readForSure(mongo: Mongo, id: string): Promise<Message | null> {
  const found = await documents(mongo.db, 'messages').findOne(
    { _id: id },
    { projection: MESSAGE.projection, readConcern: { level: 'linearizable' }, maxTimeMS: mongo.timeoutMS },
  );
  return found && MESSAGE.decode(found);
}

/** Callers that read at the same time share a command: for one message it costs about as much as for many. */
const singleReads = ({ db }: Mongo) => ({
  get: groupedReads<string, Message>(async (ids) => {
    const wanted = documents(db, 'messages').find({ _id: { $in: [...ids] } }, { projection: MESSAGE.projection });
    return new Map((await wanted.toArray()).map((found) => [found._id, MESSAGE.decode(found)]));
  }),
  /** By workspace and idempotency key, with a space between. */
  byKey: groupedReads<string, { id: string; status: MessageStatus }>(async (places) => {
    const split = places.map((place) => place.indexOf(' '));
    const workspaces = places.map((place, n) => Number(place.slice(0, split[n])));
    const wanted = documents(db, 'messages').find(
      {
        workspaceId: { $in: [...new Set(workspaces)] },
        idempotencyKey: { $in: places.map((place, n) => place.slice(split[n]! + 1)) },
      },
      { projection: { workspaceId: 1, idempotencyKey: 1, status: 1 } },
    );
    const found = await wanted.toArray();
    return new Map(
      found.map(({ _id: id, workspaceId, idempotencyKey, status }) => [
        `${workspaceId} ${idempotencyKey}`,
        { id, status },
      ]),
    );
  }),
  links: groupedReads<string, string[]>(async (ids) => {
    const wanted = documents(db, 'messages').find({ _id: { $in: [...ids] } }, { projection: { links: 1 } });
    return new Map((await wanted.toArray()).map(({ _id, links = [] }) => [_id, links]));
  }),
});

/** MongoDB driver of MessageStore. */
export function messageStore(parts: AcceptParts & ChangeParts, accepts: GroupedAccepts): MessageStore {
  const { mongo } = parts;
  const messages = documents(mongo.db, 'messages');
  const { get, links, byKey } = singleReads(mongo);
  return guarded<MessageStore>({
    accept: (acceptances) => accepts.submit(acceptances),
    findByIdempotencyKey: (workspaceId, key) => byKey(`${workspaceId} ${key}`),
    get: async (id) => (await get(id)) ?? readForSure(mongo, id),
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
    links: async (id) => (await links(id)) ?? [],
    change: (id, decide, known) =>
      decideChange(
        () => readMessage(mongo, id),
        (decidedOn, change) => applyChange(parts, decidedOn, change),
        decide,
        known,
      ),
  });
}
