import type { Template } from '../../domain/templates/template';
import { objectTime } from '../rules/timestamps';
import type { TemplateItem } from '../../stores/ports/template-store';

/** A template in a list (docs/contract.md#template). */
export function presentTemplateItem(template: TemplateItem): object {
  return {
    id: template.id,
    name: template.name,
    subject: template.subject,
    variables: template.variables,
    version: template.version,
    created_at: objectTime(template.createdAt),
    updated_at: objectTime(template.updatedAt),
  };
}

/** A template with its content. */
export function presentTemplate(template: Template): object {
  return { ...presentTemplateItem(template), html: template.html, text: template.text };
}
