import type { AnswerOf } from '../../operations/definition';
import { SUPPRESS } from '../../operations/suppressions/suppress';
import { filterForm } from '../kit/filters';
import { formOf, type Sent } from '../kit/forms';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, fault, further, table, time, withQuery, type Column } from '../kit/components';
import type { Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { wordOf } from '../texts/word-of';

type Listed = AnswerOf<typeof SUPPRESS.list>;
type Checked = AnswerOf<typeof SUPPRESS.check>;

/** What the page shows beside the list. */
export interface Said {
  /** The answer to the question, and what it was refused for. */
  checked: Checked | null;
  why: string | null;
  /** What was sent to be blocked, and why that was refused. */
  sent?: Sent;
}

function answerView({ t, base }: Visit, { email, can_send: can, reason }: Checked): Html {
  const text = can
    ? filled(t.suppressionsFree, { email })
    : filled(t.suppressionsBlocked, { email, reason: wordOf(t, reason ?? '') });
  return html`<p class="notice ${can ? '' : 'bad'}" role="status">${text}</p>
    <p><a href="${withQuery(`${base}/messages`, { to: email })}">${t.suppressionsMails}</a></p>`;
}

function addForm(visit: Visit, { sent }: Said): Html {
  const { t, base } = visit;
  return html`<h2>${t.suppressionsAddTitle}</h2>
    ${formOf(visit, {
      operation: SUPPRESS.add,
      fields: { emails: { label: t.suppressionsEmails, help: t.suppressionsEmailsHelp } },
      to: `${base}/suppressions/add`,
      button: t.suppressionsAdd,
      sent: sent ?? null,
    })}`;
}

type Entry = Listed['data'][number];

const removeButton =
  ({ t, base, csrf }: Visit) =>
  ({ email }: Entry): Html | null =>
    email === null
      ? null
      : button(csrf, {
          to: `${base}/suppressions/remove`,
          label: t.suppressionsRemove,
          confirm: t.suppressionsRemoveSure,
          fields: { email },
          kind: 'danger',
        });

function columns(visit: Visit): (Column<Entry> | false)[] {
  const { t, base } = visit;
  return [
    { title: t.suppressionsAddress, cell: (of) => of.email ?? html`<code>#${of.address_hash}</code>` },
    { title: t.suppressionsReason, cell: (of) => wordOf(t, of.reason) },
    {
      title: t.suppressionsMessage,
      cell: ({ message_id: id }) => id && html`<a href="${base}/messages/${id}"><code>${id}</code></a>`,
    },
    { title: t.suppressionsSince, cell: (of) => time(t, of.created_at), is: 'time' },
    mayHere(visit, 'developer') && { title: t.actions, cell: removeButton(visit) },
  ];
}

/** The question, the list, and the form that blocks an address. */
export function suppressionsView(visit: Visit, { data, next_after: next }: Listed, said: Said): Html {
  const { t, base, query } = visit;
  const path = `${base}/suppressions`;
  return html`<h1>${t.suppressionsTitle}</h1>
    <h2>${t.suppressionsQuestion}</h2>
    ${fault(said.why)}${filterForm(t, path, [{ name: 'email', label: t.suppressionsEmail }], query, [], t.suppressionsAsk)}
    ${said.checked && answerView(visit, said.checked)}
    <h2>${t.suppressionsList}</h2>
    <p class="soft">${t.suppressionsListNote}</p>
    ${
      mayHere(visit, 'developer') &&
      html`<p class="acts"><a class="button plain" href="${path}/export" download>${t.downloadCsv}</a></p>`
    }
    ${table(t.suppressionsList, data, columns(visit), t.suppressionsNone)}
    ${further(t, path, { after: next }, query)}
    ${mayHere(visit, 'developer') ? addForm(visit, said) : NOTHING}`;
}
