import type { Contact } from '../../domain/contacts/contact';
import { RETURNED_FACTS, type Message } from '../../domain/messages/message';
import { readTimeline, salesOf } from './contact-timeline';
import { presentSale } from '../conversions/conversion-view';
import { facts, type Session } from '../definition';
import { entriesOf } from '../suppressions/block';

/** Rows read at once. */
const PAGE = 500;

/** All items of a list that is read in pages. */
async function everything<T>(read: (page: { offset: number; limit: number }) => Promise<{ items: T[] }>): Promise<T[]> {
  const all: T[] = [];
  for (;;) {
    const { items } = await read({ offset: all.length, limit: PAGE });
    all.push(...items);
    if (items.length < PAGE) return all;
  }
}

async function presentMessage({ stores }: Session, of: Message) {
  const [signals, links] = await Promise.all([stores.signals.ofMessage(of.id), stores.messages.links(of.id)]);
  return {
    message_id: of.id,
    ...facts(of, 'to', 'subject', 'channel', 'status', 'failedReason', ...RETURNED_FACTS, 'createdAt', 'dispatchedAt'),
    ...facts(of, 'complainedAt'),
    signals: signals.map(({ link, ...signal }) => ({
      ...facts(signal, 'kind', 'at', 'machine'),
      url: link === null ? null : (links[link] ?? null),
    })),
  };
}

/** Everything that is stored about a person in a workspace, but for the content of the mails. */
export async function personalData(session: Session, contact: Contact) {
  const { stores } = session;
  const { workspaceId, id: contactId, emailHash } = contact;
  const messages = await everything((page) => stores.messages.list(workspaceId, { contactId, ...page }));
  const presented = [];
  for (const message of messages) presented.push(await presentMessage(session, message));
  const sales = await salesOf(session, contact, messages);
  return {
    contact: await readTimeline(session, contact),
    suppressions: (await entriesOf(stores, workspaceId, emailHash)).map((of) =>
      facts(of, 'reason', 'messageId', 'createdAt'),
    ),
    messages: presented,
    conversions: sales.map(presentSale),
  };
}
