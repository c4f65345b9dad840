import { addContact, deleteContact, renameContact, resubscribeContact } from './change-contact';
import { newContact } from './new-contact';
import { CONTACT_STATUSES, type Contact } from '../../domain/contacts/contact';
import { columns } from './contact-columns';
import { importToWorkspace } from './contact-import';
import { personalData } from './contact-data';
import { blockedBy, consentText, present, readTimeline, type Timeline } from './contact-timeline';
import { traceOf } from '../trail';
import { defined } from '../../lib/defined';
import {
  address,
  argument,
  audience,
  consent,
  contactOf,
  flag,
  limit,
  neededFound,
  oneOf,
  operation,
  option,
  optional,
  type Read,
  text,
  unknownAudience,
  unknownContact,
  UsageError,
  workspace,
  why,
} from '../definition';

/** Where a page begins: behind the contact of an id, or behind an address in a list that is narrowed. */
const cursor: Read<{ id: number; address: string }> = (raw) => {
  const place = text(320)(raw);
  return /^\d{1,15}$/.test(place) ? { id: Number(place), address: '' } : { id: 0, address: place.toLowerCase() };
};
const FIRST = { id: 0, address: '' };

const list = operation('contact.list', 'viewer', {
  summary: 'the contacts of a workspace',
  arguments: { workspace },
  options: {
    search: option('<text>', 'only addresses that begin with it; in the order of addresses', text(320)),
    status: option('<status>', `one of ${CONTACT_STATUSES.join(', ')}; in that order, too`, oneOf(...CONTACT_STATUSES)),
    limit: limit('contacts'),
    after: option('<next>', 'the next page: next_after of the page before', cursor, FIRST),
  },
  examples: [
    ['contact list "Toko Melati"', 'the first 50'],
    ['contact list "Toko Melati" --search budi', 'whose address begins so'],
    ['contact list 3 --limit 1000 --after 5120 --json', 'a page for programs'],
  ],
  handler: async ({ limit, after, search, status, workspace: { id: workspaceId } }, { stores }) => {
    const { bulkContacts } = stores;
    const isNarrowed = search !== undefined || status !== undefined;
    const prefix = search?.toLowerCase() ?? '';
    const found: Contact[] = isNarrowed
      ? await bulkContacts.search({ workspaceId, prefix, status: status ?? null, after: after.address, limit })
      : await bulkContacts.contacts(workspaceId, after.id, limit);
    const last = found.length === limit ? found.at(-1) : undefined;
    return { data: found.map(present), next_after: last ? (isNarrowed ? last.email : last.id) : null };
  },
  columns: { id: 'id', email: 'email', name: 'name', status: 'status', created: 'created_at' },
  none: 'No contacts. Import some: kurir contact import <workspace> <file> --consent',
});

const show = operation('contact.show', 'viewer', {
  summary: 'one contact: what refuses mail to it, its consents, audiences and journeys, what it opened and clicked',
  arguments: { workspace, email: contactOf },
  examples: [['contact show "Toko Melati" budi@example.com', 'its status, and whether the address is blocked']],
  handler: ({ email: contact }, session) => readTimeline(session, contact),
  details: {
    id: 'id',
    email: 'email',
    name: 'name',
    workspace: 'workspace_id',
    status: 'status',
    'mail refused by': 'blocked_by',
    subscribed: 'subscribed_at',
    unsubscribed: 'unsubscribed_at',
    created: 'created_at',
    changed: 'updated_at',
    audiences: ({ memberships }: Timeline) =>
      memberships.map(({ audience, membership }) => `${audience} (${membership})`).join(', ') || null,
    journeys: ({ journeys }: Timeline) =>
      journeys.map(({ journey, status }) => `${journey} (${status})`).join(', ') || null,
    'emails opened': ({ engagement }: Timeline) => engagement?.opened ?? 0,
    'emails clicked': ({ engagement }: Timeline) => engagement?.clicked ?? 0,
    'last active': ({ engagement }: Timeline, view) => view.time(engagement?.last_activity_at ?? null),
  },
  text: ({ consent }, view) =>
    consent.map((of) => `${view.paint('dim', 'consent'.padEnd(15))}  ${consentText(of, view)}\n`).join(''),
});

const data = operation('contact.data', 'editor', {
  summary: 'everything that is stored about a person, to hand out',
  arguments: { workspace, email: contactOf },
  examples: [['contact data "Toko Melati" budi@example.com > budi.json', 'as JSON']],
  notes: 'The content of each mail is in kurir message mail.',
  handler: async ({ email: contact }, session) => {
    await session.note('contact data', traceOf(contact), contact.workspaceId);
    return personalData(session, contact);
  },
  text: (result) => `${JSON.stringify(result, null, 2)}\n`,
});

const resubscribe = operation('contact.resubscribe', 'editor', {
  summary: 'make a contact subscribed again that unsubscribed, bounced or complained',
  arguments: { workspace, email: contactOf },
  options: { consent: consent('it has agreed again to get mail from this workspace; required') },
  examples: [['contact resubscribe "Toko Melati" budi@example.com --consent', 'at its own request']],
  notes: `The suppression lists stay as they are: an address that bounced or complained is mostly on one, and mail to it is
refused until kurir suppress remove takes it off.`,
  handler: async ({ email: before }, session) => {
    const contact = await resubscribeContact(session, before, session.actor);
    if (!contact) throw unknownContact(before.email);
    return { ...present(contact), blocked_by: await blockedBy(session, contact) };
  },
  text: ({ email, status, blocked_by: blocked }) => {
    const rest = blocked === null ? '' : `Mail to it is still refused: ${blocked}. See kurir suppress remove.\n`;
    return `${email}: ${status}\n${rest}`;
  },
});

/** The longest name of a contact (docs/contract.md#create-a-contact). */
const name = text(255);

const add = operation('contact.add', 'editor', {
  summary: 'add one contact; one that is there stays as it is',
  arguments: { workspace, email: argument('email address', address) },
  options: {
    name: option('<text>', 'what it is called', name),
    audience: optional(neededFound('<audience>', 'id or name of an audience that it joins', audience)),
    consent: consent('it has agreed to get mail from this workspace; required'),
  },
  examples: [
    ['contact add "Toko Melati" budi@example.com --name Budi --consent', 'POST /contacts does the same'],
    ['contact add "Toko Melati" budi@example.com --audience Pelanggan --consent', 'one that is there joins, too'],
  ],
  handler: async ({ workspace: of, email, name: called, audience: joins }, session) => {
    const { stores, clock, actor: by } = session;
    const before = await stores.contacts.find(of.id, email);
    const fields = newContact({ keyring: await session.keyring(), clock }, of, { email, ...defined({ name: called }) });
    const contact = await addContact(session, fields, { source: 'cli', by }, joins);
    if (!contact) throw unknownAudience(joins?.name ?? '');
    return { ...present(contact), created: before === null };
  },
  text: ({ id, email, created }) =>
    `${email}: ${created ? `added, with the id ${id}` : `was there already, with the id ${id}`}\n`,
});

const rename = operation('contact.rename', 'editor', {
  summary: 'give a contact another name, or none',
  arguments: { workspace, email: contactOf },
  options: { name: option('<text>', 'what it is called', name), clearName: flag('it has no name') },
  examples: [['contact rename "Toko Melati" budi@example.com --name "Budi Santoso"', 'in mails from now on']],
  check: (given) => {
    if (given.clearName !== (given.name !== undefined)) return;
    throw new UsageError(why('either', { one: '--name', other: '--clear-name' }), 'see --help', '--name');
  },
  handler: async ({ email: contact, name: given }, session) => {
    const renamed = await renameContact(session, contact, given ?? null);
    if (renamed) return present(renamed);
    throw unknownContact(contact.email);
  },
  text: ({ email, name: now }) => `${email}: ${now ?? 'no name'}\n`,
});

const remove = operation('contact.delete', 'editor', {
  irreversible: true,
  summary: 'delete a contact for good and make its messages anonymous',
  arguments: { workspace, email: contactOf },
  examples: [['contact delete "Toko Melati" budi@example.com', 'cannot be undone']],
  notes: `Suppression entries of the address stay, as keyed hashes. kurir pii shows where the address is still found.`,
  handler: async ({ email: contact }, session) => ({
    email: contact.email,
    deleted: await deleteContact(session, contact),
  }),
  text: ({ email, deleted }) =>
    `${email}: ${deleted ? 'deleted; its messages are anonymous' : 'deleted meanwhile by another'}\n`,
});

export const CONTACT = {
  list,
  show,
  data,
  add,
  rename,
  columns,
  import: importToWorkspace,
  resubscribe,
  delete: remove,
};
