import type { Contact } from '../../domain/contacts/contact';
import { csvLine } from '../../lib/csv/csv-text';
import type { Member } from '../../stores/ports/audience-store';
import type { Session, VerbSpec } from './command';
import { reference } from './input';
import { findAudience, findWorkspace } from './lookups';
import { printable } from './text';
import { jsonTime } from './times';

/** Contacts read at once. */
const PAGE = 1_000;

type Row = Record<string, string | null>;

const contactRow = ({ email, name, status, subscribedAt, unsubscribedAt, createdAt }: Contact): Row => ({
  email,
  name,
  status,
  subscribed_at: jsonTime(subscribedAt),
  unsubscribed_at: jsonTime(unsubscribedAt),
  created_at: jsonTime(createdAt),
});
const memberRow = ({ contact: { email, name, status }, joinedAt, confirmedAt }: Member): Row => ({
  email,
  name,
  status,
  joined_at: jsonTime(joinedAt),
  confirmed_at: jsonTime(confirmedAt),
});
const CONTACT_COLUMNS = ['email', 'name', 'status', 'subscribed_at', 'unsubscribed_at', 'created_at'];
const MEMBER_COLUMNS = ['email', 'name', 'status', 'joined_at', 'confirmed_at'];

const NOTES = `A cell that a spreadsheet would run as a formula (it begins with =, +, - or @) gets an apostrophe in front; import
takes it off again. --json has the cells as they are.`;

/** `export` of `kurir contact` or `kurir audience`. */
export function exportVerb(group: 'contact' | 'audience'): VerbSpec {
  const from = group === 'audience' ? '"Toko Melati" Pelanggan' : '"Toko Melati"';
  return {
    name: 'export',
    summary: `${group === 'audience' ? 'the members' : 'all contacts of a workspace'} as CSV on standard output`,
    args: [['<workspace>', 'id or name'], ...(group === 'audience' ? [['<audience>', 'id or name'] as const] : [])],
    examples: [
      [`${group} export ${from} > kontak.csv`, 'to a file'],
      [`${group} export ${from} --json`, 'for programs'],
    ],
    notes: NOTES,
    run: (input) => {
      const ref = input.arg('workspace', reference);
      const audience = group === 'audience' ? input.arg('audience', reference) : null;
      return async (session) => {
        const { stores } = session;
        const { id: workspaceId } = await findWorkspace(stores, ref);
        if (audience === null) {
          await session.note('contact export', 'all contacts', workspaceId);
          const pages = paged(
            (after) => stores.bulkContacts.contacts(workspaceId, after, PAGE),
            ({ id }) => id,
          );
          return write(session, CONTACT_COLUMNS, pages, contactRow);
        }
        const { id, name } = await findAudience(stores, workspaceId, audience);
        await session.note('audience export', name, workspaceId);
        const pages = paged(
          (after) => stores.bulkContacts.members(workspaceId, id, after, PAGE),
          ({ contact }) => contact.id,
        );
        return write(session, MEMBER_COLUMNS, pages, memberRow);
      };
    },
  };
}

async function* paged<T>(read: (after: number) => Promise<T[]>, idOf: (item: T) => number): AsyncGenerator<T[]> {
  for (let after = 0; ;) {
    const page = await read(after);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = idOf(last);
  }
}

/** On a terminal without control characters, elsewhere every character as it is. */
async function write<T>(
  session: Session,
  columns: readonly string[],
  pages: AsyncIterable<T[]>,
  present: (item: T) => Row,
) {
  const show = session.host.stdout.isTTY ? printable : (cell: string) => cell;
  const row = session.listing('data');
  const header = csvLine(columns);
  let exported = 0;
  for await (const page of pages) {
    for (const item of page) {
      const json = present(item);
      const line = csvLine(columns.map((column) => show(json[column] ?? '')));
      row({ text: exported === 0 ? header + line : line, json });
      exported += 1;
    }
  }
  return { text: exported === 0 ? header : '', json: { exported } };
}
