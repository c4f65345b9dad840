import type { TemplateContent } from '../../domain/templates/template';
import { isMergeTag, unknownTags } from '../../email/merge-tags';
import { validationMessage, type FaultCode, type FieldErrors } from '../../schemas/rules/validation-messages';

/** The most unknown tags of a field to report. */
const MAX_TAGS = 5;

/**
 * What is wrong with the content of a template as a whole (docs/contract.md#template): a variable that stands twice or
 * has the name of a merge tag, and a tag that is neither. Null when nothing is.
 */
export function checkTemplate(content: TemplateContent): FieldErrors | null {
  const errors: FieldErrors = {};
  const add = (code: FaultCode, field: string, context: object = {}): void => {
    (errors[field] ??= []).push(validationMessage(code, field, { ...context }));
  };
  const names = content.variables.map(({ name }) => name);
  names.forEach((name, n) => {
    if (isMergeTag(name)) add('variable.tag', `variables.${n}.name`);
    if (names.indexOf(name) < n) add('variable.twice', `variables.${n}.name`);
  });
  for (const field of ['subject', 'html', 'text'] as const) {
    for (const name of unknownTags(content[field] ?? '', names).slice(0, MAX_TAGS)) {
      add('variable.undeclared', field, { tag: `{{${name.slice(0, 100)}}}` });
    }
  }
  return Object.keys(errors).length > 0 ? errors : null;
}
