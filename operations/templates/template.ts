import { allErrors } from '../../schemas/rules/validation-messages';
import { ValueError } from '../../lib/reason';
import {
  VARIABLE_TYPES,
  type Template,
  type TemplateVariable,
  type VariableType,
} from '../../domain/templates/template';
import { defined } from '../../lib/defined';
import { MAX_BODY, MAX_SUBJECT } from '../../schemas/messages/send-message';
import { VARIABLE_NAME } from '../../schemas/templates/template';
import { presentTemplate, presentTemplateItem } from '../../schemas/responses/template';
import { createTemplate, deleteTemplate, editTemplate, type StoredTemplate } from './store-template';
import { preview } from './template-preview';
import {
  argument,
  type Columns,
  fileOption,
  fileText,
  flag,
  needed,
  neededFile,
  operation,
  OperationError,
  option,
  type Read,
  requireChange,
  template,
  text,
  upTo,
  workspace,
  why,
  rule,
} from '../definition';

const isType = (type: string): type is VariableType => (VARIABLE_TYPES as readonly string[]).includes(type);

/** `name:type` with commas; empty for none. */
const variableList: Read<TemplateVariable[]> = (raw) =>
  raw.trim() === ''
    ? []
    : raw.split(',').map((each) => {
        const [name = '', type = 'string'] = each.trim().split(':');
        if (VARIABLE_NAME.test(name) && isType(type)) return { name, type };
        throw new ValueError(rule('variables', { types: VARIABLE_TYPES }));
      });

const CONTENT = {
  subject: option('<text>', 'subject; can contain merge tags', text(MAX_SUBJECT)),
  html: fileOption('file with the HTML', fileText(MAX_BODY)),
  text: fileOption('file with the plain text; default: generated from the HTML', fileText(MAX_BODY)),
  variables: option(
    '<list>',
    'custom merge tags with their types: order_no:string,total:number,link:url',
    variableList,
  ),
};

const variablesText = (of: { variables: readonly TemplateVariable[] }): string =>
  of.variables.map(({ name, type }) => `${name}:${type}`).join(',');

const DETAILS: Columns<Template> = {
  id: 'id',
  name: 'name',
  subject: 'subject',
  variables: (of) => variablesText(of) || 'none',
  version: 'version',
  created: 'createdAt',
  changed: 'updatedAt',
};
const SHOWN = { details: DETAILS, json: presentTemplate };

/** What was stored, or the faults in the words of the API. */
function storedOr(stored: StoredTemplate): Template {
  if ('template' in stored) return stored.template;
  const [field = ''] = Object.keys(stored.errors);
  const fix = 'Fix it and run the command again.';
  throw new OperationError(allErrors(stored.errors), fix, `--${field.replace(/\..*/, '')}`);
}

const create = operation('template.create', 'editor', {
  summary: 'create an email template',
  arguments: { workspace, name: argument('unique within the workspace', text(255)) },
  options: {
    ...CONTENT,
    subject: needed('<text>', CONTENT.subject.about, text(MAX_SUBJECT)),
    html: neededFile(CONTENT.html.about, fileText(MAX_BODY)),
  },
  examples: [
    [
      'template create Melati dikirim --subject "Pesanan {{order_no}}" --html dikirim.html --variables order_no:string',
      'POST /messages takes its id as template_id',
    ],
  ],
  notes: 'Every merge tag must be a built-in one, or declared with --variables.',
  handler: async ({ workspace: { id }, name, subject, html, text, variables }, { stores, clock, note }) => {
    await note('template create', name, id);
    const content = { name, subject, html, ...defined({ text, variables }) };
    return storedOr(await createTemplate(stores.templates, id, content, clock.now()));
  },
  ...SHOWN,
});

const edit = operation('template.edit', 'editor', {
  summary: 'edit a template; accepted messages do not change',
  arguments: { workspace, template },
  options: {
    name: option('<text>', 'another name', text(255)),
    ...CONTENT,
    clearText: flag('generate the plain text from the HTML again'),
  },
  examples: [['template edit Melati dikirim --html dikirim.html', 'new HTML for messages from now on']],
  check: ({ name, subject, html, text, variables, clearText }) =>
    requireChange(
      { name, subject, html, text, variables, clearText: clearText || undefined },
      'Use at least one option.',
    ),
  handler: async ({ template: of, name, subject, html, variables, clearText, ...input }, { stores, clock, note }) => {
    await note('template edit', of.name, of.workspaceId);
    const text = clearText ? null : input.text;
    const change = defined({ name, subject, html, text, variables });
    const stored = await editTemplate(stores.templates, of, change, clock.now());
    if (!stored) throw new OperationError(why('deleted', { label: '<template>', name: of.name }), '', null);
    return storedOr(stored);
  },
  ...SHOWN,
});

const list = operation('template.list', 'viewer', {
  summary: 'list templates by name',
  arguments: { workspace },
  examples: [['template list Melati', 'ids, names and variables']],
  handler: async (input, { stores }) => ({ data: await stores.templates.list(input.workspace.id) }),
  json: ({ data }) => ({ data: data.map(presentTemplateItem) }),
  columns: {
    id: 'id',
    name: upTo(40, 'name'),
    subject: upTo(40, 'subject'),
    variables: variablesText,
    version: 'version',
  },
  none: ({ workspace: { name } }) => `No templates in ${name} yet.`,
});

const show = operation('template.show', 'viewer', {
  summary: 'show a template; its content with --json',
  arguments: { workspace, template },
  examples: [['template show Melati dikirim --json', 'with HTML and text']],
  handler: async (input) => input.template,
  ...SHOWN,
});

const remove = operation('template.delete', 'editor', {
  irreversible: true,
  summary: 'delete a template; accepted messages do not change',
  arguments: { workspace, template },
  examples: [['template delete Melati dikirim', 'POST /messages with its id gets a 422 from then on']],
  handler: async ({ template: { id, name, workspaceId } }, { stores, note }) => {
    await note('template delete', name, workspaceId);
    await deleteTemplate(stores.templates, { workspaceId, id });
    return { id, deleted: true, name };
  },
  json: ({ id, deleted }) => ({ id, deleted }),
  text: ({ name }) => `${name} was deleted\n`,
});

export const TEMPLATE = { create, edit, list, show, preview, delete: remove };
