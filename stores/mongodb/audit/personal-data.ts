import { Binary, type Document } from 'mongodb';
import type { AddressSearch } from '../../../domain/addresses/address-search';
import type { LogView } from '../../../streams/log-view';
import type { StoredRecord } from '../../../streams/records';
import { TOPIC_NAMES } from '../../../streams/topics';
import type { PersonalDataSource, Place } from '../../ports/personal-data';
import { openMongo, type Mongo, type MongoOptions } from '../database/client';
import { documents } from '../database/documents';
import { guard } from '../transactions/guard';

/** Documents read at once. Attachments come in parts of 4 MB. */
const PAGE = 50;
/** The limit for a scan of a large collection, ms of real time. */
const ANSWER = 5 * 60_000;

/**
 * MongoDB driver of PersonalDataSource, with its own client. Reads every field of every document in the database, and
 * every record that `log` still keeps. `log` is not closed. Rejects with UnavailableError.
 */
export async function openMongoPersonalData(options: MongoOptions, log: LogView): Promise<PersonalDataSource> {
  return mongoPersonalData(await openMongo({ answerMS: ANSWER, ...options }), log);
}

/** The same on a client, which it closes. */
export function mongoPersonalData(mongo: Mongo, log: LogView): PersonalDataSource {
  return {
    async *find(search, onLooked) {
      let looked = 0;
      const count = (): void => {
        looked += 1;
        if (looked % PAGE === 0) onLooked(looked);
      };
      yield* inCollections(mongo, search, count);
      yield* inLog(mongo, log, search, count);
      onLooked(looked);
    },
    close: () => mongo.close(),
  };
}

async function* inCollections(mongo: Mongo, search: AddressSearch, count: () => void): AsyncGenerator<Place> {
  const collections = await guard(() => mongo.db.listCollections({}, { nameOnly: true }).toArray());
  for (const name of collections.map((collection) => collection.name).sort()) {
    const cursor = mongo.db.collection(name).find({}, { batchSize: PAGE });
    try {
      for (let document = await guard(() => cursor.next()); document; document = await guard(() => cursor.next())) {
        count();
        yield* placesIn(mongo, search, name, document);
      }
    } finally {
      await cursor.close();
    }
  }
}

async function* placesIn(mongo: Mongo, search: AddressSearch, name: string, document: Document): AsyncGenerator<Place> {
  const fields = new Set(fieldsWith(search, document));
  if (fields.size === 0) return;
  const owner = await ownerOf(mongo, name, document);
  for (const field of fields) yield { kind: name, ...owner, field };
}

/**
 * Names of the fields that hold the address, including their parent fields. Items of a list share the name of the list.
 */
function* fieldsWith(search: AddressSearch, value: unknown, path = ''): Generator<string> {
  if (Array.isArray(value)) {
    for (const item of value) yield* fieldsWith(search, item, path);
  } else if (value instanceof Binary || value instanceof Uint8Array) {
    if (search.inField(path, value instanceof Binary ? value.buffer : value)) yield path;
  } else if (typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype) {
    for (const [name, inner] of Object.entries(value)) {
      yield* fieldsWith(search, inner, path === '' ? name : `${path}.${name}`);
    }
  } else if (search.inField(path, value)) yield path;
}

/**
 * The owner of the document. The ids of bodies and attachments start with that of their message, then a colon and more.
 */
async function ownerOf(
  mongo: Mongo,
  name: string,
  document: Document,
): Promise<{ id: string; workspaceId: number | null }> {
  const whole = String(document['_id']);
  if (name === 'workspaces') return { id: whole, workspaceId: Number(document['_id']) };
  if (name !== 'bodies' && name !== 'attachments') {
    const workspaceId: unknown = document['workspaceId'];
    return { id: whole, workspaceId: typeof workspaceId === 'number' ? workspaceId : null };
  }
  const id = whole.split(':')[0]!;
  return { id, workspaceId: await workspaceOf(mongo, id) };
}

async function workspaceOf({ db }: Mongo, messageId: string): Promise<number | null> {
  const options = { projection: { workspaceId: 1 } };
  return (await guard(() => documents(db, 'messages').findOne({ _id: messageId }, options)))?.workspaceId ?? null;
}

async function* inLog(mongo: Mongo, log: LogView, search: AddressSearch, count: () => void): AsyncGenerator<Place> {
  for (const topic of TOPIC_NAMES) {
    for await (const record of log.all(topic)) {
      count();
      const fields = [
        ...(search.inText(record.key) ? ['key'] : []),
        ...(search.inText(JSON.stringify(record.value)) ? ['value'] : []),
      ];
      if (fields.length === 0) continue;
      const workspaceId = await workspaceOfRecord(mongo, record);
      const id = `${record.partition}:${record.offset}`;
      for (const field of fields) yield { kind: `log ${topic}`, workspaceId, id, field };
    }
  }
}

/** Searches the value as it was written: a record that no handler can read may hold an address too. */
async function workspaceOfRecord(mongo: Mongo, { value }: StoredRecord): Promise<number | null> {
  const { workspaceId, messageId } = (value ?? {}) as { workspaceId?: unknown; messageId?: unknown };
  if (typeof workspaceId === 'number') return workspaceId;
  return typeof messageId === 'string' ? workspaceOf(mongo, messageId) : null;
}
