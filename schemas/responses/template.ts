import Joi from 'joi';
import { VARIABLE_TYPES } from '../../domain/templates/template';
import { named } from './closed';
import { count, id, objectTime } from './fields';

const variable = named(
  'DeclaredVariable',
  {
    name: Joi.string().description('The name of its merge tag.'),
    type: Joi.valid(...VARIABLE_TYPES).description('The type of its values.'),
  },
  'A merge tag of a template of its own.',
);

const item = {
  id: id.description('For template_id of POST /messages.'),
  name: Joi.string().description('Unique within the workspace.'),
  subject: Joi.string().description('With its merge tags.'),
  variables: Joi.array().items(variable).description('Its own merge tags.'),
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

/** A template with its content (docs/contract.md#template). */
export const templateAnswer = named(
  'Template',
  {
    ...item,
    html: Joi.string().description('With its merge tags.'),
    text: Joi.string().allow(null).description('null: made from the html.'),
  },
  'Content that messages are composed from.',
).example({
  ...example,
  html: '<p>Halo {{nama|Kak}}, <a href="{{tracking_url}}">lacak {{order_no}}</a>.</p>',
  text: null,
});

/** GET /templates. */
export const templatesAnswer = Joi.array().items(
  named('TemplateItem', item, 'A template without its content.').example(example),
);
