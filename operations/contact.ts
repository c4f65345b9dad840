import type { Contact } from '../domain/contacts/contact';
import type { Consent } from '../domain/contacts/opt-in';
import {
  afterContact,
  consent,
  contactOf,
  facts,
  findContact,
  limit,
  type Operation,
  operation,
  type Session,
  traceOf,
  type View,
  workspace,
} from './spec';

const present = (of: Contact) =>
  facts(of, 'id', 'workspaceId', 'email', 'name', 'status', 'subscribedAt', 'unsubscribedAt', 'createdAt', 'updatedAt');

/** What refuses mail to the contact: the reason of a suppression list, or its own status; null for nothing. */
async function blockedBy({ stores }: Session, { workspaceId, emailHash, status }: Contact): Promise<string | null> {
  const reason = await stores.suppressions.reason(workspaceId, emailHash);
  return reason ?? (status === 'subscribed' ? null : status);
}

const presentConsent = (of: Consent) => facts(of, 'at', 'source', 'audienceId');

const consentText = ({ at, source, audience_id: audience }: ReturnType<typeof presentConsent>, view: View): string =>
  `${view.time(at)} by ${source}${audience === null ? '' : `, audience ${audience}`}`;

const list = operation('contact.list', 'viewer', {
  summary: 'the contacts of a workspace',
  arguments: { workspace },
  options: { limit: limit('contacts'), after: afterContact },
  examples: [
    ['contact list "Toko Melati"', 'the first 50'],
    ['contact list 3 --limit 1000 --after 5120 --json', 'a page for programs'],
  ],
  handler: async ({ limit, after, ...input }, { stores }) => {
    const contacts = await stores.bulkContacts.contacts(input.workspace.id, after, limit);
    const next = contacts.length === limit ? (contacts.at(-1)?.id ?? null) : null;
    return { data: contacts.map(present), next_after: next };
  },
  columns: { id: 'id', email: 'email', name: 'name', status: 'status', created: 'created_at' },
  none: 'No contacts. Import some: kurir contact import <workspace> <file> --consent',
});

const show = operation('contact.show', 'viewer', {
  summary: 'one contact, its consents, and what refuses mail to it',
  arguments: { workspace, email: contactOf },
  examples: [['contact show "Toko Melati" budi@example.com', 'its status, and whether the address is blocked']],
  handler: async ({ email: contact }, session) => ({
    ...present(contact),
    blocked_by: await blockedBy(session, contact),
    consent: (await session.stores.optIns.consents(contact.workspaceId, contact.id)).map(presentConsent),
  }),
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
  },
  text: ({ consent }, view) =>
    consent.map((of) => `${view.paint('dim', 'consent'.padEnd(15))}  ${consentText(of, view)}\n`).join(''),
});

const resubscribe = operation('contact.resubscribe', 'editor', {
  summary: 'make a contact subscribed again that unsubscribed, bounced or complained',
  arguments: { workspace, email: contactOf },
  options: { consent: consent('it has agreed again to get mail from this workspace; required') },
  examples: [['contact resubscribe "Toko Melati" budi@example.com --consent', 'at its own request']],
  notes: `The suppression lists stay as they are: an address that bounced or complained is mostly on one, and mail to it is
refused until kurir suppress remove takes it off.`,
  handler: async ({ email: { id, workspaceId, ...before } }, session) => {
    const { stores, clock, keyring } = session;
    const email = before.email;
    await session.note('contact resubscribe', traceOf(await keyring(), email), workspaceId);
    const now = await stores.contacts.resubscribe(workspaceId, id, clock.now());
    // Null: it was deleted meanwhile, and may be there again.
    const contact = now ?? (await findContact(stores, workspaceId, email));
    return { ...present(contact), blocked_by: await blockedBy(session, contact) };
  },
  text: ({ email, status, blocked_by: blocked }) => {
    const rest = blocked === null ? '' : `Mail to it is still refused: ${blocked}. See kurir suppress remove.\n`;
    return `${email}: ${status}\n${rest}`;
  },
});

const remove = operation('contact.delete', 'editor', {
  summary: 'delete a contact for good and make its messages anonymous',
  arguments: { workspace, email: contactOf },
  examples: [['contact delete "Toko Melati" budi@example.com', 'cannot be undone']],
  notes: `Suppression entries of the address stay, as keyed hashes. kurir pii shows where the address is still found.`,
  handler: async ({ email: { id, workspaceId, email } }, { stores, note, keyring }) => {
    await note('contact delete', traceOf(await keyring(), email), workspaceId);
    return { email, deleted: await stores.contacts.delete(workspaceId, id) };
  },
  text: ({ email, deleted }) =>
    `${email}: ${deleted ? 'deleted; its messages are anonymous' : 'deleted meanwhile by another'}\n`,
});

export const CONTACT_OPERATIONS: readonly Operation[] = [list, show, resubscribe, remove];
