import { createTemplate, deleteTemplate, editTemplate } from '../../operations/templates/store-template';
import { list } from '../../schemas/responses/closed';
import { DELETED, deletedAnswer } from '../../schemas/responses/deleted';
import {
  presentTemplate,
  presentTemplateItem,
  templateAnswer,
  templateItemAnswer,
} from '../../schemas/responses/template';
import {
  editTemplateRules,
  editTemplateShape,
  newTemplateRules,
  newTemplateShape,
} from '../../schemas/templates/template';
import { ApiError, invalidFields } from '../errors';
import { fieldFault, integerId } from '../openapi/operation';
import { found, owned, pathId } from '../path-id';
import { resource } from '../route';

const route = resource({ tag: 'Templates', scope: 'send_email' });

const id = integerId('The template', 5);
const CONTENT = {
  name: 'Unique within the workspace.',
  subject: 'Can contain merge tags, including its own.',
  html: 'Can contain merge tags, including its own.',
  text: 'Generated from html when empty.',
  variables: 'Custom merge tags, at most 50. Each message provides a value for all of them.',
};
const undeclared = fieldFault('html', 'The html field uses {{order}}, which is not a merge tag or a variable.', 'tag');

/** Content that messages are composed from (docs/contract.md#template). */
export const templates = [
  route('GET /templates', {
    id: 'listTemplates',
    summary: 'List templates',
    description: 'All templates by name, without their content.',
    answers: [{ status: 200, description: 'The templates.', schema: list(templateItemAnswer) }],
    handle: async ({ stores }, { workspace }) => (await stores.templates.list(workspace.id)).map(presentTemplateItem),
  }),

  route('POST /templates', {
    id: 'createTemplate',
    summary: 'Create a template',
    description:
      'Content for messages, with custom merge tags. Every tag must be a built-in one, or declared in `variables`.',
    body: { shape: newTemplateShape, rules: newTemplateRules },
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
    async handle({ stores, clock }, { workspace, fields }) {
      const stored = await createTemplate(stores.templates, workspace.id, await fields(), clock.now());
      if ('errors' in stored) throw invalidFields(stored.errors);
      return presentTemplate(stored.template);
    },
  }),

  route('GET /templates/:id', {
    id: 'showTemplate',
    summary: 'Show a template',
    description: 'The template with its content.',
    parameters: { id },
    answers: [{ status: 200, description: 'The template.', schema: templateAnswer }],
    handle: async ({ stores }, { workspace, params }) =>
      presentTemplate(owned(await stores.templates.get(pathId(params)), workspace)),
  }),

  route('PATCH /templates/:id', {
    id: 'editTemplate',
    summary: 'Edit a template',
    description:
      'Changes the given fields; `variables` is replaced as a whole, and null clears `text`. Accepted messages do not change.',
    parameters: { id },
    body: { shape: editTemplateShape, rules: editTemplateRules },
    fields: CONTENT,
    requests: { subject: { subject: 'Pesanan {{order_no}} sudah dikirim' } },
    answers: [{ status: 200, description: 'Changed.', schema: templateAnswer }],
    refusals: [undeclared],
    async handle({ stores, clock }, { workspace, params, fields }) {
      const change = await fields();
      const of = { workspaceId: workspace.id, id: pathId(params) };
      const stored = found(await editTemplate(stores.templates, of, change, clock.now()));
      if ('errors' in stored) throw invalidFields(stored.errors);
      return presentTemplate(stored.template);
    },
  }),

  route('DELETE /templates/:id', {
    id: 'deleteTemplate',
    summary: 'Delete a template',
    description: 'Accepted messages do not change.',
    parameters: { id },
    answers: [{ status: 200, description: 'Deleted.', schema: deletedAnswer }],
    async handle({ stores }, { workspace, params }) {
      const deleted = await deleteTemplate(stores.templates, { workspaceId: workspace.id, id: pathId(params) });
      if (!deleted) throw new ApiError('not_found');
      return DELETED;
    },
  }),
];
