import type { Fault, Input } from '../../operations/definition';
import { filtersOf } from '../kit/filters';
import { formOf, inputOf, sentOf } from '../kit/forms';
import { DRAFT_POLICY } from '../kit/guard';
import { html } from '../kit/html';
import { workspaceOf } from '../kit/own';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { listView, templateView, variablesText, type Item, type Preview, type Template } from './views';

const list = screen('/templates', 'viewer', async (visit) => {
  const { data } = await visit.read<{ data: Item[] }>('template.list', { workspace: workspaceOf(visit) });
  return page(visit.t.templatesTitle, listView(visit, data));
});

/** The template in the address, which is looked up in the workspace. */
const chosen = (visit: Visit): Input => ({ workspace: workspaceOf(visit), template: visit.params['id'] ?? '' });
const own = (visit: Visit): Promise<Template> => visit.read('template.show', chosen(visit));

/** The values in the address, by their variables. */
const valuesOf = ({ query }: Visit, { variables }: Item) =>
  filtersOf(
    query,
    variables.map(({ name }) => name),
  );
const assignments = (values: Readonly<Record<string, string>>): string[] =>
  Object.entries(values).map(([name, value]) => `${name}=${value}`);

const show = screen('/templates/:id', 'viewer', async (visit) => {
  const of = await own(visit);
  const values = valuesOf(visit, of);
  const done = await visit.perform('template.preview', { ...chosen(visit), var: assignments(values) });
  const shown = done.ok ? (done.json as unknown as Preview) : null;
  const why = done.ok ? null : done.fault.message;
  return page(of.name, templateView(visit, of, { shown, why, values }), done.ok ? 200 : 422);
});

/** The document in the frame. */
const document = screen('/templates/:id/document', 'viewer', async (visit) => {
  const values = valuesOf(visit, await own(visit));
  const shown = await visit.read<Preview>('template.preview', { ...chosen(visit), var: assignments(values) });
  return { kind: 'file', type: 'html', body: shown.html, policy: DRAFT_POLICY };
});

interface Editing {
  /** Null: a new one. */
  of: Template | null;
  values: Readonly<Record<string, unknown>>;
  why?: Fault;
}

async function editor(visit: Visit, { of, values, why }: Editing): Promise<Answer> {
  const { t, base, csrf } = visit;
  const form = await formOf({
    operation: of ? 'template.edit' : 'template.create',
    fields: {
      name: { label: t.templatesName },
      subject: { label: t.templatesSubject, help: t.templatesSubjectHelp },
      html: { label: t.templatesHtml, lines: 'code' },
      text: { label: t.templatesText, help: t.templatesTextHelp, lines: 'text' },
      variables: { label: t.templatesVariables, help: t.templatesVariablesHelp },
    },
    to: of ? `${base}/templates/${of.id}/edit` : `${base}/templates/new`,
    button: of ? t.save : t.templatesCreate,
    ...{ t, csrf, values, fault: why ?? null },
  });
  const title = of ? filled(t.templatesEditTitle, { name: of.name }) : t.templatesNew;
  return page(title, html`<h1>${title}</h1>${form}`, why ? 422 : 200);
}

const saved = ({ base, t }: Visit, json: object): Answer =>
  redirect(`${base}/templates/${(json as Item).id}`, t.templatesSaved);

const create = action('/templates/new', 'editor', async (visit) => {
  const { form } = visit;
  const input = await inputOf('template.create', form, { workspace: workspaceOf(visit) });
  const done = await visit.perform('template.create', input);
  return done.ok ? saved(visit, done.json) : editor(visit, { of: null, values: sentOf(form), why: done.fault });
});

const edit = action('/templates/:id/edit', 'editor', async (visit) => {
  const { form } = visit;
  const of = await own(visit);
  // An empty list is no variables, and an empty text is the one that is made from the HTML.
  const emptied = { variables: fieldOf(form, 'variables'), clear_text: fieldOf(form, 'text').trim() === '' };
  const given = await inputOf('template.edit', form, { ...chosen(visit), ...emptied });
  const done = await visit.perform('template.edit', emptied.clear_text ? { ...given, text: null } : given);
  return done.ok ? saved(visit, done.json) : editor(visit, { of, values: sentOf(form), why: done.fault });
});

const showEdit = screen('/templates/:id/edit', 'editor', async (visit) => {
  const of = await own(visit);
  return editor(visit, { of, values: { ...of, variables: variablesText(of) } });
});

const remove = action('/templates/:id/delete', 'editor', async (visit) => {
  await visit.read('template.delete', chosen(visit));
  return redirect(`${visit.base}/templates`, visit.t.templatesDeleted);
});

export const TEMPLATES: readonly Screen[] = [
  list,
  screen('/templates/new', 'editor', (visit) => editor(visit, { of: null, values: {} })),
  create,
  show,
  document,
  showEdit,
  edit,
  remove,
];
