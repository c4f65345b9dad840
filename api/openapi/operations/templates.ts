import { deletedAnswer } from '../../../schemas/responses/deleted';
import { templateAnswer, templatesAnswer } from '../../../schemas/responses/template';
import type { ListedOperation } from '../listed-operation';
import { fieldFault, integerId } from '../operation';

const id = integerId('The template', 5);
const CONTENT = {
  name: 'Unique within the workspace.',
  subject: 'May contain merge tags, its own among them.',
  html: 'May contain merge tags, its own among them.',
  text: 'Generated from html when empty.',
  variables: 'Its own merge tags, at most 50. Each message gives a value for all of them.',
};
const undeclared = fieldFault('html', 'The html field uses {{order}}, which is no merge tag and no variable.', 'tag');

export const templateOperations: readonly ListedOperation[] = [
  {
    method: 'GET',
    path: '/templates',
    id: 'listTemplates',
    tag: 'Templates',
    summary: 'List templates',
    description: 'All templates by name, without their content.',
    answers: [{ status: 200, description: 'The templates.', schema: templatesAnswer }],
  },
  {
    method: 'POST',
    path: '/templates',
    id: 'createTemplate',
    tag: 'Templates',
    summary: 'Create a template',
    description:
      'Content for messages, with merge tags of its own. Every tag in it is a known one, or declared in `variables`.',
    fields: CONTENT,
    requests: {
      template: {
        name: 'Pesanan dikirim',
        subject: 'Pesanan {{order_no}} dikirim',
        html: '<p>Halo {{nama|Kak}}, <a href="{{tracking_url}}">lacak {{order_no}}</a>.</p>',
        variables: [
          { name: 'order_no', type: 'string' },
          { name: 'tracking_url', type: 'url' },
        ],
      },
    },
    answers: [{ status: 201, description: 'Created.', schema: templateAnswer }],
    refusals: [undeclared, fieldFault('name', 'The name field has already been taken.', 'name')],
  },
  {
    method: 'GET',
    path: '/templates/:id',
    id: 'showTemplate',
    tag: 'Templates',
    summary: 'Show a template',
    description: 'The template with its content.',
    parameters: { id },
    answers: [{ status: 200, description: 'The template.', schema: templateAnswer }],
  },
  {
    method: 'PATCH',
    path: '/templates/:id',
    id: 'editTemplate',
    tag: 'Templates',
    summary: 'Edit a template',
    description:
      'Changes the given fields; `variables` as a whole, and null clears `text`. Messages that were accepted keep what they had.',
    parameters: { id },
    fields: CONTENT,
    requests: { subject: { subject: 'Pesanan {{order_no}} sudah dikirim' } },
    answers: [{ status: 200, description: 'Changed.', schema: templateAnswer }],
    refusals: [undeclared],
  },
  {
    method: 'DELETE',
    path: '/templates/:id',
    id: 'deleteTemplate',
    tag: 'Templates',
    summary: 'Delete a template',
    description: 'Messages keep what they were composed from.',
    parameters: { id },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
  },
];
