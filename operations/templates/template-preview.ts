import { allErrors } from '../../schemas/rules/validation-messages';
import { ValueError } from '../../lib/reason';
import { previewTemplate } from './preview-template';
import { readVariables } from './read-variables';
import type { Template, VariableType } from '../../domain/templates/template';
import type { Workspace } from '../../domain/settings/workspace';
import { operation, OperationError, type Read, repeatable, template, workspace, rule } from '../definition';

/** `name=value`. */
const assignment: Read<[string, string]> = (raw) => {
  const at = raw.indexOf('=');
  if (at < 1) throw new ValueError(rule('assignment'));
  return [raw.slice(0, at).trim(), raw.slice(at + 1)];
};

/** `--var`. */
export const valueOption = repeatable(
  '<name=value>',
  'value of a variable; can be repeated; default: a sample',
  assignment,
);

/** In the place of what is not given. */
const SAMPLES: Readonly<Record<VariableType, (name: string) => string>> = {
  number: () => '1',
  url: () => 'https://example.com/',
  string: (name) => `[${name}]`,
};

/** What a message of the template would say. Throws OperationError for a value that does not fit its variable. */
export async function templatePreview(
  of: Template,
  workspace: Workspace,
  given: readonly (readonly [string, string])[],
  now: number,
): Promise<{ subject: string; html: string; text: string }> {
  const samples = of.variables.map(({ name, type }) => [name, SAMPLES[type](name)] as const);
  const read = readVariables(of.variables, { ...Object.fromEntries(samples), ...Object.fromEntries(given) }, 'form');
  if ('errors' in read) throw new OperationError(allErrors(read.errors), '', '--var');
  return previewTemplate({ template: of, workspace, variables: read.values }, now);
}

/** What the command line writes to a file as well, in a command of its own. */
export const preview = operation('template.preview', 'viewer', {
  summary: 'render a message of a template; nothing is sent',
  arguments: { workspace, template },
  options: { var: valueOption },
  examples: [['template preview Melati dikirim --var order_no=INV-17', 'with a given value']],
  handler: ({ template: of, var: given, ...input }, { clock }) =>
    templatePreview(of, input.workspace, given, clock.now()),
});
