import type { Command } from 'commander';
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { presentTemplate, presentTemplateItem } from '../presenters/template';
import { createTemplate, editTemplate, type StoredTemplate } from '../commands/templates/store-template';
import { readVariables } from '../commands/templates/read-variables';
import { previewTemplate } from '../app/operator/preview-template';
import { VARIABLE_TYPES, type Template, type TemplateVariable, type VariableType } from '../domain/templates/template';
import { MAX_BODY, MAX_SUBJECT } from '../schemas/messages/send-message';
import { VARIABLE_NAME, type EditTemplateFields } from '../schemas/templates/template';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError, UsageError } from './support/errors';
import { fileText, reference, text, type Input, type Read } from './support/input';
import { findTemplate, findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { printable } from './support/text';
import { showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const TEMPLATE = [WORKSPACE, ['<template>', 'id or name']] as const;
const OPTIONS = [
  ['--subject <text>', 'subject; may contain merge tags'],
  ['--html <file>', 'file with the HTML'],
  ['--text <file>', 'file with the plain text; default: made from the HTML'],
  ['--variables <list>', 'its own merge tags with their types: order_no:string,total:number,link:url'],
] as const;

/** `name:type` with commas; empty for none. */
const variableList: Read<TemplateVariable[]> = (raw) =>
  raw.trim() === ''
    ? []
    : raw.split(',').map((each) => {
        const [name = '', type = 'string'] = each.trim().split(':');
        if (VARIABLE_NAME.test(name) && isType(type)) return { name, type };
        throw new RangeError(
          `must be a list such as order_no:string,total:number; types: ${VARIABLE_TYPES.join(', ')}`,
        );
      });
const isType = (type: string): type is VariableType => (VARIABLE_TYPES as readonly string[]).includes(type);

function readChange(input: Input): EditTemplateFields {
  const name = input.option('name', text(255));
  const subject = input.option('subject', text(MAX_SUBJECT));
  const html = input.option('html', fileText(MAX_BODY));
  const plain = input.has('clearText') ? null : input.option('text', fileText(MAX_BODY));
  const variables = input.option('variables', variableList);
  return {
    ...(name !== undefined && { name }),
    ...(subject !== undefined && { subject }),
    ...(html !== undefined && { html }),
    ...(plain !== undefined && { text: plain }),
    ...(variables !== undefined && { variables }),
  };
}

const variablesText = (variables: readonly TemplateVariable[]): string =>
  variables.map(({ name, type }) => `${name}:${type}`).join(',');

function answerTemplate({ paint }: Session, template: Template): Answer {
  const head = fields(paint, [
    ['id', template.id],
    ['name', template.name],
    ['subject', template.subject],
    ['variables', variablesText(template.variables) || 'none'],
    ['version', template.version],
    ['created', showTime(template.createdAt)],
    ['changed', showTime(template.updatedAt)],
  ]);
  return { text: head, json: presentTemplate(template) };
}

/** What was stored, or the faults in the words of the API. */
function storedOr(stored: StoredTemplate): Template {
  if ('template' in stored) return stored.template;
  throw new CommandError(Object.values(stored.errors).flat().join(' '), 'Mend it and run the command again.');
}

const create: VerbSpec = {
  name: 'create',
  summary: 'create a template that messages are composed from',
  args: [WORKSPACE, ['<name>', 'unique within the workspace']],
  options: OPTIONS,
  examples: [
    [
      'template create Melati dikirim --subject "Pesanan {{order_no}}" --html dikirim.html --variables order_no:string',
      'POST /messages takes its id as template_id',
    ],
  ],
  notes: 'Every merge tag in it is a known one, or declared with --variables.',
  run: (input) => {
    const ref = input.arg('workspace', reference);
    const name = input.arg('name', text(255));
    const subject = input.needed('subject', text(MAX_SUBJECT));
    const html = input.needed('html', fileText(MAX_BODY));
    const content = { ...readChange(input), name, subject, html };
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      await session.note('template create', name, workspace.id);
      const { templates } = session.stores;
      const template = storedOr(await createTemplate(templates, workspace.id, content, session.clock.now()));
      return answerTemplate(session, template);
    };
  },
};

const edit: VerbSpec = {
  name: 'edit',
  summary: 'change a template; messages that were accepted keep what they had',
  args: TEMPLATE,
  options: [['--name <text>', 'another name'], ...OPTIONS, ['--clear-text', 'make the plain text from the HTML again']],
  examples: [['template edit Melati dikirim --html dikirim.html', 'new HTML for messages from now on']],
  run: (input) => {
    const [ref, which] = [input.arg('workspace', reference), input.arg('template', reference)];
    const change = readChange(input);
    if (Object.keys(change).length === 0) throw new UsageError('Nothing to change.', 'Give at least one option.');
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const { id, name } = await findTemplate(session.stores, workspace.id, which);
      await session.note('template edit', name, workspace.id);
      const of = { workspaceId: workspace.id, id };
      const stored = await editTemplate(session.stores.templates, of, change, session.clock.now());
      if (!stored) throw new CommandError(`<template>: ${name} was deleted meanwhile.`, '');
      return answerTemplate(session, storedOr(stored));
    };
  },
};

const list: VerbSpec = {
  name: 'list',
  summary: 'the templates of a workspace, by name',
  args: [WORKSPACE],
  examples: [['template list Melati', 'ids, names and variables']],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async ({ stores, paint }) => {
      const workspace = await findWorkspace(stores, ref);
      const templates = await stores.templates.list(workspace.id);
      return {
        text: table(
          paint,
          [
            { title: 'id' },
            { title: 'name', max: 40 },
            { title: 'subject', max: 40 },
            { title: 'variables', max: 60 },
            { title: 'version' },
          ],
          templates.map((t) => [t.id, t.name, t.subject, variablesText(t.variables), t.version]),
          `No templates in ${workspace.name} yet.`,
        ),
        json: { data: templates.map(presentTemplateItem) },
      };
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'a template; its content with --json',
  args: TEMPLATE,
  examples: [['template show Melati dikirim --json', 'with HTML and text']],
  run: (input) => {
    const [ref, which] = [input.arg('workspace', reference), input.arg('template', reference)];
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      return answerTemplate(session, await findTemplate(session.stores, workspace.id, which));
    };
  },
};

/** `name=value`. */
const assignment: Read<[string, string]> = (raw) => {
  const at = raw.indexOf('=');
  if (at < 1) throw new RangeError('must be name=value');
  return [raw.slice(0, at).trim(), raw.slice(at + 1)];
};

/** In the place of what is not given. */
const SAMPLES: Readonly<Record<VariableType, (name: string) => string>> = {
  number: () => '1',
  url: () => 'https://example.com/',
  string: (name) => `[${name}]`,
};

const preview: VerbSpec = {
  name: 'preview',
  summary: 'show what a message of a template would say; nothing is sent',
  args: TEMPLATE,
  options: [
    ['--var <name=value>', 'the value of a variable; may be repeated; default: a sample', 'repeatable'],
    ['--out <file>', 'write the HTML to this file; replaces what is there'],
  ],
  examples: [
    ['template preview Melati dikirim --var order_no=INV-17 --out dikirim-lihat.html', 'to open in a browser'],
  ],
  run: (input) => {
    const [ref, which] = [input.arg('workspace', reference), input.arg('template', reference)];
    const given = Object.fromEntries(input.every('var', assignment));
    const out = input.option('out', text(4_096));
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const template = await findTemplate(session.stores, workspace.id, which);
      const samples = template.variables.map(({ name, type }) => [name, SAMPLES[type](name)] as const);
      const read = readVariables(template.variables, { ...Object.fromEntries(samples), ...given }, 'form');
      if ('errors' in read) throw new CommandError(Object.values(read.errors).flat().join(' '), '', '--var');
      const shown = await previewTemplate({ template, workspace, variables: read.values }, session.clock.now());
      const file = out === undefined ? null : resolve(out);
      if (file !== null) writePreview(file, shown.html);
      const tail = file === null ? shown.text : `Written to ${file}\n`;
      return { text: `Subject: ${shown.subject}\n\n${tail}`, json: { ...shown, file } };
    };
  },
};

function writePreview(file: string, html: string): void {
  try {
    writeFileSync(file, html);
  } catch (error) {
    throw new CommandError(
      `--out: ${printable(file)} cannot be written: ${(error as Error).message}`,
      'Give another one.',
      '--out',
    );
  }
}

const remove: VerbSpec = {
  name: 'delete',
  summary: 'delete a template; messages keep what they were composed from',
  args: TEMPLATE,
  examples: [['template delete Melati dikirim', 'POST /messages with its id answers 422 from then on']],
  run: (input) => {
    const [ref, which] = [input.arg('workspace', reference), input.arg('template', reference)];
    return async (session) => {
      const workspace = await findWorkspace(session.stores, ref);
      const { id, name } = await findTemplate(session.stores, workspace.id, which);
      await session.note('template delete', name, workspace.id);
      await session.stores.templates.delete(workspace.id, id);
      return { text: `${name} is deleted\n`, json: { id, deleted: true } };
    };
  },
};

/** The `kurir template` commands. */
export const templateCommand = (commands: Commands): Command =>
  commands.group('template', 'templates: content that messages are composed from', [
    create,
    edit,
    list,
    show,
    preview,
    remove,
  ]);
