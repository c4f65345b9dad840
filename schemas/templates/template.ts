import Joi from 'joi';
import { VARIABLE_TYPES, type Template, type TemplateVariable } from '../../domain/templates/template';
import { inJsonSchema } from '../rules/json-schema';
import type { Shape } from '../rules/normalize';
import { MAX_BODY, MAX_SUBJECT } from '../messages/send-message';
import { text } from '../rules/text';

const MAX_NAME = 255;
/** Variables of a template. */
const MAX_VARIABLES = 50;
/** The name of a variable. */
export const VARIABLE_NAME = /^[a-z][a-z0-9_]{0,39}$/;

const variables = { items: { name: 'text', type: 'text' }, most: MAX_VARIABLES } as const;
/** The fields of POST /templates (docs/contract.md#template). */
export const newTemplateShape = {
  name: 'text',
  subject: 'text',
  html: 'text',
  text: 'text',
  variables,
} as const satisfies Shape;

/** The fields of PATCH /templates/{id}: null clears the text. */
export const editTemplateShape = { ...newTemplateShape, text: 'clearable' } as const satisfies Shape;

export type NewTemplateFields = Pick<Template, 'name' | 'subject' | 'html'> & {
  text?: string;
  variables?: TemplateVariable[];
};
export type EditTemplateFields = Partial<Pick<Template, 'name' | 'subject' | 'html' | 'text' | 'variables'>>;

const variable = Joi.object<TemplateVariable>({
  name: text(40, (value, { error }) => (VARIABLE_NAME.test(value) ? value : error('variable.name')))
    .required()
    .meta(inJsonSchema({ minLength: 1, maxLength: 40, pattern: VARIABLE_NAME.source }))
    .description('The name of the merge tag: a-z, 0-9 and _, starting with a letter.'),
  type: Joi.valid(...VARIABLE_TYPES)
    .required()
    .description('`url` is an http or https URL.'),
}).meta({ component: 'TemplateVariable', about: 'A custom merge tag of a template, and the type of its values.' });

const fields = {
  name: text(MAX_NAME),
  subject: text(MAX_SUBJECT),
  html: text(MAX_BODY),
  text: text(MAX_BODY),
  variables: Joi.array<TemplateVariable[]>().items(variable).max(MAX_VARIABLES),
};

/** What names and tags have to do with each other is checked by `checkTemplate`. */
export const newTemplateRules = Joi.object<NewTemplateFields>({
  ...fields,
  name: fields.name.required(),
  subject: fields.subject.required(),
  html: fields.html.required(),
});

export const editTemplateRules = Joi.object<EditTemplateFields>({ ...fields, text: fields.text.allow(null) });
