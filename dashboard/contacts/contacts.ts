import { AUDIENCE } from '../../operations/contacts/audience';
import { CONTACT } from '../../operations/contacts/contact';
import type { Fault } from '../../operations/definition';
import { MESSAGE } from '../../operations/messages/message';
import { csvFile } from '../kit/csv';
import { filtersOf } from '../kit/filters';
import { formOf, sentOf } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere, workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { IMPORTS } from './imports';
import type { Shown } from './tags';
import { contactView } from './timeline';
import { eraseView, listView } from './views';

/** Mails on the page of a contact. */
const MAILS = 10;

const list = screen('/contacts', 'viewer', async (visit) => {
  const { t, query } = visit;
  const filters = filtersOf(query, ['search', 'status', 'after']);
  const done = await visit.perform(CONTACT.list, { workspace: workspaceOf(visit), ...filters });
  if (!done.ok) return page(t.navContacts, listView(visit, null, done.fault.message), 422);
  return page(t.navContacts, listView(visit, done.json, null));
});

/** The contact is looked up in the workspace of the address: another's is not found. */
const chosen = (visit: Visit) => ({ workspace: workspaceOf(visit), email: visit.id });
const shown = (visit: Visit): Promise<Shown> => visit.read(CONTACT.show, chosen(visit));

function resubscribeForm(visit: Visit, { id, status }: Shown, fault: Fault | null): Html {
  const { t, base } = visit;
  if (status === 'subscribed' || !mayHere(visit, 'editor')) return NOTHING;
  const form = formOf(visit, {
    operation: CONTACT.resubscribe,
    fields: { consent: { label: t.contactsResubscribeConsent } },
    to: `${base}/contacts/${id}/resubscribe`,
    button: t.contactsResubscribe,
    fault,
  });
  return html`<h2>${t.contactsResubscribe}</h2>
    ${form}`;
}

function renameForm(visit: Visit, { id, name }: Shown, fault: Fault | null): Html {
  const { t, base, form } = visit;
  if (!mayHere(visit, 'editor')) return NOTHING;
  const shown = formOf(visit, {
    operation: CONTACT.rename,
    fields: { name: { label: t.contactsName, help: t.contactsNameHelp } },
    to: `${base}/contacts/${id}/rename`,
    button: t.save,
    values: fault ? sentOf(form) : { name },
    fault,
  });
  return html`<h2>${t.contactsRename}</h2>
    ${shown}`;
}

/** `faults`: what its forms were refused for. */
async function showContact(visit: Visit, faults: { rename?: Fault; resubscribe?: Fault } = {}): Promise<Answer> {
  const of = await shown(visit);
  const mails = await visit.read(MESSAGE.list, {
    workspace: workspaceOf(visit),
    to: String(of.id),
    limit: MAILS,
  });
  const { rename: name = null, resubscribe: again = null } = faults;
  const forms = html`${renameForm(visit, of, name)}${resubscribeForm(visit, of, again)}`;
  return page(of.email, contactView(visit, of, mails, forms), name || again ? 422 : 200);
}

const resubscribe = action('/contacts/:id/resubscribe', 'editor', async (visit) => {
  const { t, base } = visit;
  const done = await visit.submit(CONTACT.resubscribe, chosen(visit));
  if (!done.ok) return showContact(visit, { resubscribe: done.fault });
  const { id, email, blocked_by: reason } = done.json;
  const said = reason === null ? t.contactsResubscribed : t.contactsResubscribedBlocked;
  return redirect(`${base}/contacts/${id}`, filled(said, { email, reason: reason ?? '' }));
});

const rename = action('/contacts/:id/rename', 'editor', async (visit) => {
  const { t, base, form } = visit;
  const cleared = fieldOf(form, 'name').trim() === '' ? { clear_name: true, name: null } : { clear_name: false };
  const done = await visit.submit(CONTACT.rename, { ...chosen(visit), ...cleared });
  if (!done.ok) return showContact(visit, { rename: done.fault });
  return redirect(`${base}/contacts/${done.json.id}`, t.contactsRenamed);
});

async function addPage(visit: Visit, fault: Fault | null = null): Promise<Answer> {
  const { t, base, form, query } = visit;
  const { data } = await visit.read(AUDIENCE.list, { workspace: workspaceOf(visit) });
  const fields = formOf(visit, {
    operation: CONTACT.add,
    fields: {
      email: { label: t.contactsEmail, autocomplete: 'off' },
      name: { label: t.contactsName, help: t.contactsNameHelp },
      audience: { label: t.importsAudience, choices: data.map(({ id, name }) => ({ value: id, label: name })) },
      consent: { label: t.contactsAddConsent },
    },
    to: `${base}/contacts/add`,
    button: t.contactsAdd,
    values: { audience: query['audience'], ...sentOf(form) },
    fault,
  });
  const main = html`<p><a href="${base}/contacts">${t.navContacts}</a></p>
    <h1>${t.contactsAdd}</h1>
    ${fields}`;
  return page(t.contactsAdd, main, fault ? 422 : 200);
}

const add = action('/contacts/add', 'editor', async (visit) => {
  const { t, base } = visit;
  const done = await visit.submit(CONTACT.add, { workspace: workspaceOf(visit) });
  if (!done.ok) return addPage(visit, done.fault);
  const { id, email, created } = done.json;
  return redirect(`${base}/contacts/${id}`, filled(created ? t.contactsAdded : t.contactsThere, { email }));
});

const erase = action('/contacts/:id/delete', 'editor', async (visit) => {
  const { email } = await visit.read(CONTACT.delete, chosen(visit));
  return redirect(`${visit.base}/contacts`, filled(visit.t.contactsErased, { email }));
});

const data = screen('/contacts/:id/data', 'editor', async (visit) => {
  const all = await visit.read(CONTACT.data, chosen(visit));
  const name = `contact-${all.contact.id}.json`;
  return { kind: 'file', type: 'application/json', body: `${JSON.stringify(all, null, 2)}\n`, name };
});

const COLUMNS = ['email', 'name', 'status', 'subscribed_at', 'unsubscribed_at', 'created_at'] as const;

const exported = screen('/contacts/export', 'editor', async (visit) => {
  await visit.note('contact export', 'all contacts');
  return csvFile('contacts.csv', COLUMNS, async (after) =>
    visit.read(CONTACT.list, { workspace: workspaceOf(visit), limit: 1_000, after }),
  );
});

export const CONTACTS: readonly Screen[] = [
  ...IMPORTS,
  list,
  exported,
  screen('/contacts/add', 'editor', (visit) => addPage(visit)),
  add,
  screen('/contacts/:id', 'viewer', (visit) => showContact(visit)),
  data,
  screen('/contacts/:id/delete', 'editor', async (visit) => {
    const of = await shown(visit);
    return page(filled(visit.t.contactsEraseTitle, { email: of.email }), eraseView(visit, of));
  }),
  rename,
  resubscribe,
  erase,
];
