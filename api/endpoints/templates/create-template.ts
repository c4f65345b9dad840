import { createTemplate as store } from '../../../operations/templates/store-template';
import { newTemplateRules, newTemplateShape } from '../../../schemas/templates/template';
import { invalidFields } from '../../errors';
import { presentTemplate } from '../../../schemas/responses/present-template';
import { route } from '../../route';

/** POST /templates: 201 with the template (docs/contract.md#template). */
export const createTemplate = route({
  method: 'POST',
  path: '/templates',
  scope: 'send_email',
  emailModule: 'required',
  body: { shape: newTemplateShape, rules: newTemplateRules },
  async handle({ stores, clock }, { workspace, fields }) {
    const stored = await store(stores.templates, workspace.id, await fields(), clock.now());
    if ('errors' in stored) throw invalidFields(stored.errors);
    return { status: 201, body: presentTemplate(stored.template) };
  },
});
