import type { Contact } from '../domain/contacts/contact';
import type { KnownEntry } from '../domain/contacts/suppression';
import { csvLine } from '../lib/csv/csv-text';
import { printable } from '../lib/printable';
import { checkList, LIST_OF, listOf } from '../operations/suppressions/suppression-list';
import type { Member } from '../stores/ports/audience-store';
import { withAddresses } from '../operations/suppressions/with-addresses';
import { terminalCommand, type Terminal } from './support/command';
import { audience, facts, workspace } from '../operations/definition';

/** Rows read at once. */
const PAGE = 1_000;

type Row = Record<string, string | null>;

const contactRow = (of: Contact): Row =>
  facts(of, 'email', 'name', 'status', 'subscribedAt', 'unsubscribedAt', 'createdAt');
const memberRow = ({ contact, ...of }: Member): Row => ({
  ...facts(contact, 'email', 'name', 'status'),
  ...facts(of, 'joinedAt', 'confirmedAt'),
});
const entryRow = (of: KnownEntry): Row => facts(of, 'email', 'addressHash', 'reason', 'messageId', 'createdAt');

/** All pages of a list, each read after the last row of the one before. */
async function* paged<T>(read: (after: T | undefined) => Promise<T[]>): AsyncGenerator<T[]> {
  for (let page = await read(undefined); page.length > 0; page = await read(page.at(-1))) yield page;
}

/** Writes CSV: on a terminal without control characters, elsewhere every character as it is. */
async function write<T>(
  { host, listing }: Terminal,
  columns: readonly string[],
  pages: AsyncIterable<readonly T[]>,
  rowOf: (item: T) => Row,
) {
  const show = host.stdout.isTTY ? printable : (cell: string) => cell;
  const row = listing('data');
  const header = csvLine(columns);
  let exported = 0;
  for await (const page of pages) {
    for (const item of page) {
      const json = rowOf(item);
      const line = csvLine(columns.map((column) => show(json[column] ?? '')));
      row({ text: exported === 0 ? header + line : line, json });
      exported += 1;
    }
  }
  return { exported, header };
}

const SHOWN = {
  json: ({ exported }: { exported: number }) => ({ exported }),
  text: ({ exported, header }: { exported: number; header: string }) => (exported === 0 ? header : ''),
};

const NOTES = `Cells that a spreadsheet would run as a formula (starting with =, +, - or @) get a leading apostrophe; an import
removes it again. --json leaves the cells unchanged.`;

/** `kurir contact export`. */
export const exportContacts = terminalCommand('contact.export', {
  summary: 'export all contacts of a workspace as CSV to standard output',
  arguments: { workspace },
  examples: [
    ['contact export "Toko Melati" > kontak.csv', 'to a file'],
    ['contact export "Toko Melati" --json', 'for programs'],
  ],
  notes: NOTES,
  handler: async ({ workspace: { id } }, session) => {
    await session.note('contact export', 'all contacts', id);
    const { bulkContacts } = session.stores;
    const pages = paged<Contact>((last) => bulkContacts.contacts(id, last?.id ?? 0, PAGE));
    const columns = ['email', 'name', 'status', 'subscribed_at', 'unsubscribed_at', 'created_at'];
    return write(session, columns, pages, contactRow);
  },
  ...SHOWN,
});

/** `kurir audience export`. */
export const exportMembers = terminalCommand('audience.export', {
  summary: 'export the members of an audience as CSV to standard output',
  arguments: { workspace, audience },
  examples: [
    ['audience export "Toko Melati" Pelanggan > kontak.csv', 'to a file'],
    ['audience export "Toko Melati" Pelanggan --json', 'for programs'],
  ],
  notes: NOTES,
  handler: async ({ audience: { id, name, workspaceId } }, session) => {
    await session.note('audience export', name, workspaceId);
    const { bulkContacts } = session.stores;
    const pages = paged<Member>((last) => bulkContacts.members(workspaceId, id, last?.contact.id ?? 0, PAGE));
    return write(session, ['email', 'name', 'status', 'joined_at', 'confirmed_at'], pages, memberRow);
  },
  ...SHOWN,
});

/** `kurir suppress export`. */
export const exportSuppressions = terminalCommand('suppress.export', {
  summary: 'export a suppression list as CSV to standard output',
  options: LIST_OF,
  examples: [['suppress export --workspace "Toko Melati" > diblokir.csv', 'to a file']],
  notes: `Addresses are stored as keyed hashes. A line has the email address as long as a contact or the message behind the entry
has it; other lines have only the hash, which suppress import of the same installation can read.`,
  check: checkList,
  handler: async (input, session) => {
    const { workspaceId, name } = listOf(input);
    const { stores } = session;
    await session.note('suppress export', name, workspaceId);
    const pages = paged<KnownEntry>(async (last) =>
      withAddresses(stores, await stores.suppressions.list(workspaceId, PAGE, last)),
    );
    return write(session, ['email', 'address_hash', 'reason', 'message_id', 'created_at'], pages, entryRow);
  },
  ...SHOWN,
});
