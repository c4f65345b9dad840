import type { Fault } from '../../operations/definition';
import { csvFile } from '../kit/csv';
import { filtersOf } from '../kit/filters';
import { formOf, inputOf, sentOf } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere, workspaceOf } from '../kit/own';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import type { Numbered as Mails } from '../messages/shape';
import { filled } from '../texts/texts';
import { IMPORTS } from './imports';
import type { Listed, Row, Shown } from './shape';
import { contactView } from './story';
import { eraseView, listView } from './views';

/** Mails on the page of a contact. */
const MAILS = 10;

const list = screen('/contacts', 'viewer', async (visit) => {
  const { t, query } = visit;
  const filters = filtersOf(query, ['search', 'status', 'after']);
  const done = await visit.perform('contact.list', { workspace: workspaceOf(visit), ...filters });
  if (!done.ok) return page(t.navContacts, listView(visit, null, done.fault.message), 422);
  return page(t.navContacts, listView(visit, done.json as unknown as Listed, null));
});

/** The contact is looked up in the workspace of the address: another's is not found. */
const chosen = (visit: Visit) => ({ workspace: workspaceOf(visit), email: visit.params['id'] ?? '' });
const shown = (visit: Visit): Promise<Shown> => visit.read('contact.show', chosen(visit));

async function resubscribeForm(visit: Visit, { id, status }: Shown, fault: Fault | null): Promise<Html> {
  const { t, base, csrf } = visit;
  if (status === 'subscribed' || !mayHere(visit, 'editor')) return NOTHING;
  const form = await formOf({
    operation: 'contact.resubscribe',
    fields: { consent: { label: t.contactsResubscribeConsent } },
    to: `${base}/contacts/${id}/resubscribe`,
    button: t.contactsResubscribe,
    ...{ t, csrf, fault },
  });
  return html`<h2>${t.contactsResubscribe}</h2>
    ${form}`;
}

async function renameForm(visit: Visit, { id, name }: Shown, fault: Fault | null): Promise<Html> {
  const { t, base, csrf, form } = visit;
  if (!mayHere(visit, 'editor')) return NOTHING;
  const shown = await formOf({
    operation: 'contact.rename',
    fields: { name: { label: t.contactsName, help: t.contactsNameHelp } },
    to: `${base}/contacts/${id}/rename`,
    button: t.save,
    values: fault ? sentOf(form) : { name },
    ...{ t, csrf, fault },
  });
  return html`<h2>${t.contactsRename}</h2>
    ${shown}`;
}

/** `fault`: what the form of this operation was refused for. */
async function showContact(visit: Visit, fault: { of: string; why: Fault } | null = null): Promise<Answer> {
  const of = await shown(visit);
  const mails = await visit.read<Mails>('message.list', {
    workspace: workspaceOf(visit),
    to: String(of.id),
    limit: MAILS,
  });
  const why = (name: string): Fault | null => (fault?.of === name ? fault.why : null);
  const forms = html`${await renameForm(visit, of, why('contact.rename'))}${await resubscribeForm(visit, of, why('contact.resubscribe'))}`;
  return page(of.email, contactView(visit, of, mails, forms), fault ? 422 : 200);
}

const resubscribe = action('/contacts/:id/resubscribe', 'editor', async (visit) => {
  const { t, base, form } = visit;
  const input = await inputOf('contact.resubscribe', form, chosen(visit));
  const done = await visit.perform('contact.resubscribe', input);
  if (!done.ok) return showContact(visit, { of: 'contact.resubscribe', why: done.fault });
  const { id, email, blocked_by: reason } = done.json as unknown as Shown;
  const said = reason === null ? t.contactsResubscribed : t.contactsResubscribedBlocked;
  return redirect(`${base}/contacts/${id}`, filled(said, { email, reason: reason ?? '' }));
});

const rename = action('/contacts/:id/rename', 'editor', async (visit) => {
  const { t, base, form } = visit;
  const cleared = { ...chosen(visit), clear_name: fieldOf(form, 'name').trim() === '' };
  const input = await inputOf('contact.rename', form, cleared);
  const done = await visit.perform('contact.rename', cleared.clear_name ? { ...input, name: null } : input);
  if (!done.ok) return showContact(visit, { of: 'contact.rename', why: done.fault });
  return redirect(`${base}/contacts/${(done.json as unknown as Shown).id}`, t.contactsRenamed);
});

async function addPage(visit: Visit, fault: Fault | null = null): Promise<Answer> {
  const { t, base, csrf, form, query } = visit;
  const workspace = workspaceOf(visit);
  const { data } = await visit.read<{ data: { id: number; name: string }[] }>('audience.list', { workspace });
  const fields = await formOf({
    operation: 'contact.add',
    fields: {
      email: { label: t.contactsEmail, autocomplete: 'off' },
      name: { label: t.contactsName, help: t.contactsNameHelp },
      audience: { label: t.importsAudience, choices: data.map(({ id, name }) => ({ value: id, label: name })) },
      consent: { label: t.contactsAddConsent },
    },
    to: `${base}/contacts/add`,
    button: t.contactsAdd,
    values: { audience: query['audience'], ...sentOf(form) },
    ...{ t, csrf, fault },
  });
  const main = html`<p><a href="${base}/contacts">${t.navContacts}</a></p>
    <h1>${t.contactsAdd}</h1>
    ${fields}`;
  return page(t.contactsAdd, main, fault ? 422 : 200);
}

const add = action('/contacts/add', 'editor', async (visit) => {
  const { t, base, form } = visit;
  const input = await inputOf('contact.add', form, { workspace: workspaceOf(visit) });
  const done = await visit.perform('contact.add', input);
  if (!done.ok) return addPage(visit, done.fault);
  const { id, email, created } = done.json as unknown as Row & { created: boolean };
  return redirect(`${base}/contacts/${id}`, filled(created ? t.contactsAdded : t.contactsThere, { email }));
});

const erase = action('/contacts/:id/delete', 'editor', async (visit) => {
  const { email } = await visit.read<{ email: string }>('contact.delete', chosen(visit));
  return redirect(`${visit.base}/contacts`, filled(visit.t.contactsErased, { email }));
});

const data = screen('/contacts/:id/data', 'editor', async (visit) => {
  const all = await visit.read<{ contact: Shown }>('contact.data', chosen(visit));
  const name = `contact-${all.contact.id}.json`;
  return { kind: 'file', type: 'application/json', body: `${JSON.stringify(all, null, 2)}\n`, name };
});

const COLUMNS = ['email', 'name', 'status', 'subscribed_at', 'unsubscribed_at', 'created_at'];

const exported = screen('/contacts/export', 'editor', async (visit) => {
  await visit.note('contact export', 'all contacts');
  return csvFile('contacts.csv', COLUMNS, async (after) =>
    visit.read<{ data: Row[]; next_after: number | null }>('contact.list', {
      workspace: workspaceOf(visit),
      limit: 1_000,
      after,
    }),
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
