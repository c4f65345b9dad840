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
  summary: 'list the contacts of a workspace',
  arguments: { workspace },
  options: {
    search: option('<text>', 'only email addresses that start with this; sorted by address', text(320)),
    status: option(
      '<status>',
      `one of ${CONTACT_STATUSES.join(', ')}; combines with --search`,
      oneOf(...CONTACT_STATUSES),
    ),
    limit: limit('contacts'),
    after: option('<next>', 'the next page: next_after of the page before', cursor, FIRST),
  },
  examples: [
    ['contact list "Toko Melati"', 'the first 50'],
    ['contact list "Toko Melati" --search budi', 'addresses that start with budi'],
    ['contact list 3 --limit 1000 --after 5120 --json', 'one page, for scripts'],
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
  summary: 'show a contact: what blocks email to it, its consents, audiences and journeys, opens and clicks',
  arguments: { workspace, email: contactOf },
  examples: [['contact show "Toko Melati" budi@example.com', 'its status, and whether it is suppressed']],
  handler: ({ email: contact }, session) => readTimeline(session, contact),
  details: {
    id: 'id',
    email: 'email',
    name: 'name',
    workspace: 'workspace_id',
    status: 'status',
    'email blocked by': 'blocked_by',
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
  summary: 'export everything stored about a contact, for a data request',
  arguments: { workspace, email: contactOf },
  examples: [['contact data "Toko Melati" budi@example.com > budi.json', 'as JSON']],
  notes: 'kurir message mail shows the content of each email.',
  handler: async ({ email: contact }, session) => {
    await session.note('contact data', traceOf(contact), contact.workspaceId);
    return personalData(session, contact);
  },
  text: (result) => `${JSON.stringify(result, null, 2)}\n`,
});

const resubscribe = operation('contact.resubscribe', 'editor', {
  summary: 'resubscribe a contact that unsubscribed, bounced or complained',
  arguments: { workspace, email: contactOf },
  options: { consent: consent('it has consented again to receive email from this workspace; required') },
  examples: [['contact resubscribe "Toko Melati" budi@example.com --consent', 'at the request of the contact']],
  notes: `Suppression lists do not change: an address that bounced or complained is usually suppressed, and email to it is
rejected until you remove it with kurir suppress remove.`,
  handler: async ({ email: before }, session) => {
    const contact = await resubscribeContact(session, before, session.actor);
    if (!contact) throw unknownContact(before.email);
    return { ...present(contact), blocked_by: await blockedBy(session, contact) };
  },
  text: ({ email, status, blocked_by: blocked }) => {
    const rest = blocked === null ? '' : `It still cannot receive email: ${blocked}. See kurir suppress remove.\n`;
    return `${email}: ${status}\n${rest}`;
  },
});

/** The longest name of a contact (docs/contract.md#create-a-contact). */
const name = text(255);

const add = operation('contact.add', 'editor', {
  summary: 'add a contact; an existing contact is not changed',
  arguments: { workspace, email: argument('email address', address) },
  options: {
    name: option('<text>', 'name of the contact', name),
    audience: optional(neededFound('<audience>', 'id or name of an audience to add it to', audience)),
    consent: consent('it has consented to receive email from this workspace; required'),
  },
  examples: [
    ['contact add "Toko Melati" budi@example.com --name Budi --consent', 'same as POST /contacts'],
    [
      'contact add "Toko Melati" budi@example.com --audience Pelanggan --consent',
      'an existing contact is added to the audience, too',
    ],
  ],
  handler: async ({ workspace: of, email, name: called, audience: joins }, session) => {
    const { stores, clock, actor: by } = session;
    const before = await stores.contacts.find(of.id, email);
    const fields = newContact({ keyring: await session.keyring(), clock }, of, { email, ...defined({ name: called }) });
    const contact = await addContact(session, fields, { source: 'cli', by }, joins);
    if (!contact) throw unknownAudience(joins?.name ?? '');
    return { ...present(contact), created: before === null };
  },
  text: ({ id, email, created }) => `${email}: ${created ? `added with id ${id}` : `already exists with id ${id}`}\n`,
});

const rename = operation('contact.rename', 'editor', {
  summary: 'change or remove the name of a contact',
  arguments: { workspace, email: contactOf },
  options: { name: option('<text>', 'name of the contact', name), clearName: flag('remove the name') },
  examples: [['contact rename "Toko Melati" budi@example.com --name "Budi Santoso"', 'used in emails from now on']],
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
  summary: 'delete a contact permanently and anonymize its messages',
  arguments: { workspace, email: contactOf },
  examples: [['contact delete "Toko Melati" budi@example.com', 'cannot be undone']],
  notes: `Suppression entries of the address are kept, as keyed hashes. kurir pii shows where the address is still stored.`,
  handler: async ({ email: contact }, session) => ({
    email: contact.email,
    deleted: await deleteContact(session, contact),
  }),
  text: ({ email, deleted }) =>
    `${email}: ${deleted ? 'deleted; its messages were anonymized' : 'already deleted by another request'}\n`,
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
