import Joi from 'joi';
import { VARIABLE_TYPES, type Template } from '../../domain/templates/template';
import { objectTime as timeText } from '../rules/timestamps';
import { list, named, nullable, oneOf, type ValueOf } from './closed';
import { count, id, objectTime } from './fields';

const variable = named(
  'DeclaredVariable',
  {
    name: Joi.string().description('The name of the merge tag.'),
    type: oneOf(...VARIABLE_TYPES).description('The type of its values.'),
  },
  'A custom merge tag of a template.',
);

const item = {
  id: id.description('For template_id of POST /messages.'),
  name: Joi.string().description('Unique within the workspace.'),
  subject: Joi.string().description('With its merge tags.'),
  variables: list(variable).description('Custom merge tags.'),
  version: count.description('From 1; grows by one with each edit.'),
  created_at: objectTime.description('When it was created.'),
  updated_at: objectTime.description('When it was last changed.'),
};
const example = {
  id: 5,
  name: 'Pesanan dikirim',
  subject: 'Pesanan {{order_no}} dikirim',
  variables: [
    { name: 'order_no', type: 'string' },
    { name: 'tracking_url', type: 'url' },
  ],
  version: 1,
  created_at: '2026-09-22T03:15:06.088000Z',
  updated_at: '2026-09-22T03:15:06.088000Z',
};

/** A template in a list, without its content (docs/contract.md#template). */
export const templateItemAnswer = named('TemplateItem', item, 'A template without its content.').example(example);

export const presentTemplateItem = (template: Omit<Template, 'html' | 'text'>): ValueOf<typeof templateItemAnswer> => ({
  id: template.id,
  name: template.name,
  subject: template.subject,
  variables: template.variables,
  version: template.version,
  created_at: timeText(template.createdAt),
  updated_at: timeText(template.updatedAt),
});

/** A template with its content (docs/contract.md#template). */
export const templateAnswer = named(
  'Template',
  {
    ...item,
    html: Joi.string().description('With its merge tags.'),
    text: nullable(Joi.string()).description('null: generated from the html.'),
  },
  'Reusable content for messages.',
).example({
  ...example,
  html: '<p>Halo {{nama|Kak}}, <a href="{{tracking_url}}">lacak {{order_no}}</a>.</p>',
  text: null,
});

export const presentTemplate = (template: Template): ValueOf<typeof templateAnswer> => ({
  ...presentTemplateItem(template),
  html: template.html,
  text: template.text,
});
