import type { AnswerOf, RowOf } from '../../operations/definition';
import type { TEMPLATE } from '../../operations/templates/template';
import { html, NOTHING, type Html } from '../kit/html';
import { mayHere } from '../kit/workspace-scope';
import { button, facts, fault, newLink, table, time, withQuery } from '../kit/components';
import type { Visit } from '../kit/screen';

export type Item = RowOf<typeof TEMPLATE.list>;
export type Template = AnswerOf<typeof TEMPLATE.show>;
type Preview = AnswerOf<typeof TEMPLATE.preview>;

const pathOf = ({ base }: Visit, { id }: Pick<Item, 'id'>): string => `${base}/templates/${id}`;

/** Variables as the operations take them. */
export const variablesText = ({ variables }: Pick<Item, 'variables'>): string =>
  variables.map(({ name, type }) => `${name}:${type}`).join(',');

export const listView = (visit: Visit, templates: readonly Item[]): Html => {
  const { t, base } = visit;
  return html`<h1>${t.templatesTitle}</h1>
    <p class="soft">${t.templatesAbout}</p>
    ${newLink(visit, `${base}/templates/new`, t.templatesNew)}
    ${table(
      t.templatesTitle,
      templates,
      [
        { title: t.templatesName, cell: (of) => html`<a href="${pathOf(visit, of)}">${of.name}</a>` },
        { title: t.templatesSubject, cell: ({ subject }) => subject },
        { title: t.templatesVariables, cell: ({ variables }) => variables.map(({ name }) => name).join(', ') },
        { title: t.templatesId, cell: ({ id }) => id, is: 'number' },
        { title: t.templatesChanged, cell: (of) => time(t, of.updated_at), is: 'time' },
      ],
      t.templatesNone,
    )}`;
};

/** One field for each variable; the values lie in the address. */
function valuesForm(visit: Visit, of: Template, values: Readonly<Record<string, string | undefined>>): Html {
  const { t } = visit;
  if (of.variables.length === 0) return NOTHING;
  return html`<form class="row" method="get" action="${pathOf(visit, of)}">
    ${of.variables.map(
      ({ name }) =>
        html`<div>
          <label for="v-${name}">${name}</label><input id="v-${name}" name="${name}" value="${values[name] ?? ''}" />
        </div>`,
    )}<button>${t.templatesShow}</button>
  </form>`;
}

function previewPart(
  visit: Visit,
  of: Template,
  shown: Preview,
  values: Readonly<Record<string, string | undefined>>,
): Html {
  const { t } = visit;
  return html`${facts([[t.templatesSubject, shown.subject]])}
    <iframe
      class="mail"
      sandbox
      title="${t.templatesPreview}"
      src="${withQuery(`${pathOf(visit, of)}/document`, values)}"
    ></iframe>
    <details class="panel">
      <summary>${t.templatesText}</summary>
      <pre tabindex="0">${shown.text}</pre>
    </details>`;
}

/** A template: what it is, and what a message of it says; `why` there is no preview. */
export function templateView(
  visit: Visit,
  of: Template,
  {
    shown,
    why,
    values,
  }: { shown: Preview | null; why: string | null; values: Readonly<Record<string, string | undefined>> },
): Html {
  const { t, base, csrf } = visit;
  const path = pathOf(visit, of);
  const remove = { to: `${path}/delete`, label: t.templatesDelete, confirm: t.templatesDeleteSure };
  return html`<p><a href="${base}/templates">${t.templatesTitle}</a></p>
    <h1>${of.name}</h1>
    ${facts([
      [t.templatesId, of.id],
      [t.templatesSubject, of.subject],
      [t.templatesVariables, variablesText(of)],
      [t.templatesVersion, of.version],
      [t.templatesChanged, time(t, of.updated_at)],
    ])}
    ${
      mayHere(visit, 'editor') &&
      html`<div class="acts">
        <a class="button" href="${path}/edit">${t.templatesEdit}</a>${button(csrf, { ...remove, kind: 'danger' })}
      </div>`
    }
    <h2>${t.templatesPreview}</h2>
    <p class="soft">${t.templatesPreviewAbout}</p>
    ${fault(why)}${valuesForm(visit, of, values)}${shown && previewPart(visit, of, shown, values)}`;
}
