import { TEMPLATE } from '../../operations/templates/template';
import { filtersOf } from '../kit/filters';
import { formOf, refusedForm, type Sent } from '../kit/forms';
import { DRAFT_POLICY } from '../kit/guard';
import { html } from '../kit/html';
import { workspaceOf } from '../kit/workspace-scope';
import { action, fieldOf, page, redirect, screen, type Answer, type Screen, type Visit } from '../kit/screen';
import { filled } from '../texts/texts';
import { listView, templateView, variablesText, type Item, type Template } from './views';

const list = screen('/templates', 'viewer', async (visit) => {
  const { data } = await visit.read(TEMPLATE.list, { workspace: workspaceOf(visit) });
  return page(visit.t.templatesTitle, listView(visit, data));
});

/** The template in the address, which is looked up in the workspace. */
const chosen = (visit: Visit) => ({ workspace: workspaceOf(visit), template: visit.id });
const own = (visit: Visit): Promise<Template> => visit.read(TEMPLATE.show, chosen(visit));

/** The values in the address, by their variables. */
const valuesOf = ({ query }: Visit, { variables }: Item) =>
  filtersOf(
    query,
    variables.map(({ name }) => name),
  );
const assignments = (values: ReturnType<typeof valuesOf>): string[] =>
  Object.entries(values).map(([name, value = '']) => `${name}=${value}`);

const show = screen('/templates/:id', 'viewer', async (visit) => {
  const of = await own(visit);
  const values = valuesOf(visit, of);
  const done = await visit.perform(TEMPLATE.preview, { ...chosen(visit), var: assignments(values) });
  const shown = done.ok ? done.json : null;
  const why = done.ok ? null : done.fault.message;
  return page(of.name, templateView(visit, of, { shown, why, values }), done.ok ? 200 : 422);
});

/** The document in the frame. */
const document = screen('/templates/:id/document', 'viewer', async (visit) => {
  const values = valuesOf(visit, await own(visit));
  const shown = await visit.read(TEMPLATE.preview, { ...chosen(visit), var: assignments(values) });
  return { kind: 'file', type: 'html', body: shown.html, policy: DRAFT_POLICY };
});

/** `of`: null for a new one. */
function editor(visit: Visit, of: Template | null, sent: Sent | null = null): Answer {
  const { t, base } = visit;
  const form = formOf(visit, {
    operation: of ? TEMPLATE.edit : TEMPLATE.create,
    fields: {
      name: { label: t.templatesName },
      subject: { label: t.templatesSubject, help: t.templatesSubjectHelp },
      html: { label: t.templatesHtml, lines: 'code' },
      text: { label: t.templatesText, help: t.templatesTextHelp, lines: 'text' },
      variables: { label: t.templatesVariables, help: t.templatesVariablesHelp },
    },
    to: of ? `${base}/templates/${of.id}/edit` : `${base}/templates/new`,
    button: of ? t.save : t.templatesCreate,
    values: of ? { ...of, variables: variablesText(of) } : {},
    sent,
  });
  const title = of ? filled(t.templatesEditTitle, { name: of.name }) : t.templatesNew;
  return page(title, html`<h1>${title}</h1>${form}`, sent ? 422 : 200);
}

const saved = ({ base, t }: Visit, { id }: Template): Answer => redirect(`${base}/templates/${id}`, t.templatesSaved);

const create = action('/templates/new', 'editor', async (visit) => {
  const done = await visit.submit(TEMPLATE.create, { workspace: workspaceOf(visit) });
  return done.ok ? saved(visit, done.json) : editor(visit, null, refusedForm(visit, done.fault));
});

const edit = action('/templates/:id/edit', 'editor', async (visit) => {
  const { form } = visit;
  const of = await own(visit);
  // An empty list is no variables, and an empty text is the one that is made from the HTML.
  const emptied = fieldOf(form, 'text').trim() === '' ? { clear_text: true, text: null } : { clear_text: false };
  const more = { ...chosen(visit), variables: fieldOf(form, 'variables'), ...emptied };
  const done = await visit.submit(TEMPLATE.edit, more);
  return done.ok ? saved(visit, done.json) : editor(visit, of, refusedForm(visit, done.fault));
});

const showEdit = screen('/templates/:id/edit', 'editor', async (visit) => editor(visit, await own(visit)));

const remove = action('/templates/:id/delete', 'editor', async (visit) => {
  await visit.read(TEMPLATE.delete, chosen(visit));
  return redirect(`${visit.base}/templates`, visit.t.templatesDeleted);
});

export const TEMPLATES: readonly Screen[] = [
  list,
  screen('/templates/new', 'editor', async (visit) => editor(visit, null)),
  create,
  show,
  document,
  showEdit,
  edit,
  remove,
];
