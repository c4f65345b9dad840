import type { HandOffJob } from '../../../domain/message';
import { readAttachments } from './attachments';
import type { Mongo } from '../database/client';
import { toContact } from '../contacts/contact-store';
import { documents } from '../database/documents';
import { byId, groupedReads } from '../transactions/grouped-reads';
import { MESSAGE } from './message-fields';

/** The bodies of this many messages fit into memory together, whatever their size. */
const MAX_JOBS = 40;

/** Reads what a hand-off needs; concurrent calls are read together. Null when there is no such message. */
export const jobReader = (mongo: Mongo): ((id: string) => Promise<HandOffJob | null>) =>
  groupedReads((ids) => readJobs(mongo, ids), MAX_JOBS);

async function readJobs(mongo: Mongo, ids: readonly string[]): Promise<Map<string, HandOffJob>> {
  const { db } = mongo;
  const wanted = { _id: { $in: [...ids] } };
  const [found, bodies] = await Promise.all([
    documents(db, 'messages')
      .find(wanted, { projection: { ...MESSAGE.projection, dropping: 1 } })
      .toArray(),
    documents(db, 'bodies').find(wanted).toArray(),
  ]);
  const held = found.filter(({ attachmentsUntil, dropping }) => attachmentsUntil !== null && dropping === undefined);
  const [contacts, attachments] = await Promise.all([
    readContacts(
      mongo,
      found.map(({ contactId }) => contactId),
    ),
    Promise.all(held.map(async ({ _id: id }) => [id, await readAttachments(mongo, id)] as const)),
  ]);
  const bodyOf = byId(bodies);
  const attachmentsOf = new Map(attachments);
  const jobs = found.map((document): [string, HandOffJob] => {
    const { _id: id, contactId, workspaceId } = document;
    const contact = contacts.get(contactId);
    const body = bodyOf.get(id);
    const job = {
      message: MESSAGE.decode(document),
      contact: contact?.workspaceId === workspaceId ? toContact(contact) : null,
      body: body ? { html: body.html, text: body.text } : null,
      attachments: attachmentsOf.get(id) ?? [],
    };
    return [id, job];
  });
  return new Map(jobs);
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
