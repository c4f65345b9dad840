import type { Command } from 'commander';
import type { Contact } from '../domain/contacts/contact';
import type { Consent } from '../domain/contacts/opt-in';
import { address, traceOf } from './support/addresses';
import type { Commands, Session, VerbSpec } from './support/command';
import { exportVerb } from './support/contact-export';
import { importVerb, needConsent } from './support/contact-import';
import { reference, whole } from './support/input';
import { findContact, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const EMAIL = ['<email>', 'address of the contact'] as const;

const present = (contact: Contact) => ({
  id: contact.id,
  workspace_id: contact.workspaceId,
  email: contact.email,
  name: contact.name,
  status: contact.status,
  subscribed_at: jsonTime(contact.subscribedAt),
  unsubscribed_at: jsonTime(contact.unsubscribedAt),
  created_at: jsonTime(contact.createdAt),
  updated_at: jsonTime(contact.updatedAt),
});

/** What refuses mail to the contact: the reason of a suppression list, or its own status; null for nothing. */
async function blockedBy({ stores }: Session, { workspaceId, emailHash, status }: Contact): Promise<string | null> {
  const reason = await stores.suppressions.reason(workspaceId, emailHash);
  return reason ?? (status === 'subscribed' ? null : status);
}

const presentConsent = ({ at, source, audienceId }: Consent) => ({
  at: jsonTime(at),
  source,
  audience_id: audienceId,
});

const consentText = ({ at, source, audienceId }: Consent): string =>
  `${showTime(at)} by ${source}${audienceId === null ? '' : `, audience ${audienceId}`}`;

const list: VerbSpec = {
  name: 'list',
  summary: 'the contacts of a workspace',
  args: [WORKSPACE],
  options: [
    ['--limit <n>', 'contacts at most, 1 to 1000; default: 50'],
    ['--after <id>', 'the next page: the id of the last contact'],
  ],
  examples: [
    ['contact list "Toko Melati"', 'the first 50'],
    ['contact list 3 --limit 1000 --after 5120 --json', 'a page for programs'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const limit = input.option('limit', whole(1, 1_000)) ?? 50;
    const after = input.option('after', whole(0, Number.MAX_SAFE_INTEGER)) ?? 0;
    return async ({ stores, paint }) => {
      const { id } = await findWorkspace(stores, ref);
      const contacts = await stores.bulkContacts.contacts(id, after, limit);
      const columns = ['id', 'email', 'name', 'status', 'created'].map((title) => ({ title }));
      return {
        text: table(
          paint,
          columns,
          contacts.map((contact) => [
            contact.id,
            contact.email,
            contact.name,
            contact.status,
            showTime(contact.createdAt),
          ]),
          'No contacts. Import some: kurir contact import <workspace> <file> --consent',
        ),
        json: {
          data: contacts.map(present),
          next_after: contacts.length === limit ? (contacts.at(-1)?.id ?? null) : null,
        },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'one contact, its consents, and what refuses mail to it',
  args: [WORKSPACE, EMAIL],
  examples: [['contact show "Toko Melati" budi@example.com', 'its status, and whether the address is blocked']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const email = input.arg('email', address);
    return async (session) => {
      const { id } = await findWorkspace(session.stores, ref);
      const contact = await findContact(session.stores, id, email);
      const blocked = await blockedBy(session, contact);
      const consents = await session.stores.optIns.consents(id, contact.id);
      return {
        text: fields(session.paint, [
          ['id', contact.id],
          ['email', contact.email],
          ['name', contact.name],
          ['workspace', contact.workspaceId],
          ['status', contact.status],
          ['mail refused by', blocked],
          ['subscribed', showTime(contact.subscribedAt)],
          ['unsubscribed', showTime(contact.unsubscribedAt)],
          ['created', showTime(contact.createdAt)],
          ['changed', showTime(contact.updatedAt)],
          ...consents.map((consent): [string, string] => ['consent', consentText(consent)]),
        ]),
        json: { ...present(contact), blocked_by: blocked, consent: consents.map(presentConsent) },
      };
    };
  },
};

const resubscribe: VerbSpec = {
  name: 'resubscribe',
  summary: 'make a contact subscribed again that unsubscribed, bounced or complained',
  args: [WORKSPACE, EMAIL],
  options: [['--consent', 'it has agreed again to get mail from this workspace; required']],
  examples: [['contact resubscribe "Toko Melati" budi@example.com --consent', 'at its own request']],
  notes: `The suppression lists stay as they are: an address that bounced or complained is mostly on one, and mail to it is
refused until kurir suppress remove takes it off.`,
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const email = input.arg('email', address);
    needConsent(input);
    return async (session) => {
      const { stores, clock } = session;
      const { id: workspaceId } = await findWorkspace(stores, ref);
      const { id } = await findContact(stores, workspaceId, email);
      await session.note('contact resubscribe', await trace(session, email), workspaceId);
      const contact = await stores.contacts.resubscribe(workspaceId, id, clock.now());
      // Null: it was deleted meanwhile, and may be there again.
      return resubscribed(session, contact ?? (await findContact(stores, workspaceId, email)));
    };
  },
};

async function resubscribed(session: Session, contact: Contact): Promise<Answer> {
  const blocked = await blockedBy(session, contact);
  const rest = blocked === null ? '' : `Mail to it is still refused: ${blocked}. See kurir suppress remove.\n`;
  return {
    text: `${contact.email}: ${contact.status}\n${rest}`,
    json: { ...present(contact), blocked_by: blocked },
  };
}

const trace = async (session: Session, email: string): Promise<string> => traceOf(await session.keyring(), email);

const remove: VerbSpec = {
  name: 'delete',
  summary: 'delete a contact for good and make its messages anonymous',
  args: [WORKSPACE, EMAIL],
  examples: [['contact delete "Toko Melati" budi@example.com', 'cannot be undone']],
  notes: `Suppression entries of the address stay, as keyed hashes. kurir pii shows where the address is still found.`,
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const email = input.arg('email', address);
    return async (session) => {
      const { stores } = session;
      const { id: workspaceId } = await findWorkspace(stores, ref);
      const { id } = await findContact(stores, workspaceId, email);
      await session.note('contact delete', await trace(session, email), workspaceId);
      const deleted = await stores.contacts.delete(workspaceId, id);
      const what = deleted ? 'deleted; its messages are anonymous' : 'deleted meanwhile by another';
      return { text: `${email}: ${what}\n`, json: { email, deleted } };
    };
  },
};

/** The `kurir contact` commands. */
export const contactCommand = (commands: Commands): Command =>
  commands.group('contact', 'contacts: the people of a workspace, one by one or from a file', [
    list,
    show,
    importVerb('contact'),
    exportVerb('contact'),
    resubscribe,
    remove,
  ]);
