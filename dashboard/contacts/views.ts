import { CONTACT_STATUSES } from '../../domain/contacts/contact';
import { filterForm } from '../kit/filters';
import { html, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, fault, further, SURE, table, time } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { wordOf } from '../texts/word-of';
import { statusTag, type Listed, type Row, type Shown } from './tags';

/** The list, below what narrows it. */
export function listView(visit: Visit, listed: Listed | null, why: string | null): Html {
  const { t, base, query } = visit;
  const path = `${base}/contacts`;
  const choices = CONTACT_STATUSES.map((value) => ({ value, label: wordOf(t, value) }));
  const filters = [
    { name: 'search', label: t.contactsSearch },
    { name: 'status', label: t.contactsStatus, choices },
  ];
  return html`<h1>${t.navContacts}</h1>
    ${
      mayHere(visit, 'editor') &&
      html`<p class="acts"><a class="button" href="${path}/add">${t.contactsAdd}</a><a class="button plain" href="${path}/import">${t.importsTitle}</a><a class="button plain" href="${path}/export" download>${t.contactsExport}</a></p>`
    }
    ${fault(why)}${filterForm(t, path, filters, query)}
    ${listed && html`${rows(visit, listed.data)}${further(t, path, { after: listed.next_after }, query)}`}`;
}

const rows = ({ t, base }: Visit, data: readonly Row[]): Html =>
  table(
    t.navContacts,
    data,
    [
      { title: t.contactsEmail, cell: (of) => html`<a href="${base}/contacts/${of.id}">${of.email}</a>` },
      { title: t.contactsName, cell: (of) => of.name },
      { title: t.contactsStatus, cell: (of) => statusTag(t, of.status) },
      { title: t.contactsCreated, cell: (of) => time(t, of.created_at), is: 'time' },
    ],
    t.contactsNone,
  );

/** The question before a person is deleted. */
export const eraseView = ({ t, base, csrf }: Visit, { id, email }: Shown): Html => {
  const path = `${base}/contacts/${id}`;
  return html`<p><a href="${path}">${email}</a></p>
    <h1>${filled(t.contactsEraseTitle, { email })}</h1>
    <p>${t.contactsEraseWhat}</p>
    <p>${t.contactsEraseStill}</p>
    <div class="acts">
      ${button(csrf, { to: `${path}/delete`, label: t.contactsErase, kind: 'danger', fields: { [SURE]: 'yes' } })}<a
        class="button plain"
        href="${path}"
        >${t.cancel}</a
      >
    </div>`;
};
