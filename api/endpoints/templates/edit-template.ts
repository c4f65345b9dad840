import { editTemplate as edit } from '../../../operations/templates/store-template';
import { editTemplateRules, editTemplateShape } from '../../../schemas/templates/template';
import { invalidFields } from '../../errors';
import { found, pathId } from '../../path-id';
import { presentTemplate } from '../../../schemas/responses/present-template';
import { route } from '../../route';

/** PATCH /templates/{id}: changes the given fields; messages that were accepted keep what they had. */
export const editTemplate = route({
  method: 'PATCH',
  path: '/templates/:id',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: editTemplateShape, rules: editTemplateRules },
  async handle({ stores, clock }, { workspace, params, fields }) {
    const change = await fields();
    const of = { workspaceId: workspace.id, id: pathId(params) };
    const stored = found(await edit(stores.templates, of, change, clock.now()));
    if ('errors' in stored) throw invalidFields(stored.errors);
    return { status: 200, body: presentTemplate(stored.template) };
  },
});
