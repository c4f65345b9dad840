import type { Template } from '../../domain/templates/template';
import { DuplicateError } from '../../lib/errors';
import { reasonsOf } from '../../lib/reason';
import type { EditTemplateFields, NewTemplateFields } from '../../schemas/templates/template';
import { validationMessage, type FieldErrors } from '../../schemas/rules/validation-messages';
import type { TemplateStore } from '../../stores/ports/template-store';
import { checkTemplate } from './check-template';

/** Templates of one workspace: GET /templates lists all of them. */
export const MAX_TEMPLATES = 1_000;
const LIMIT = 'Maksimal {most} template per workspace. Hapus salah satu untuk menambah yang baru.';
/** docs/contract.md has it in Indonesian for all. */
const refusal = reasonsOf({ limit: [LIMIT, LIMIT] });

/** A template that was stored, or why not. */
export type StoredTemplate = { template: Template } | { errors: FieldErrors };

const taken = (): StoredTemplate => ({ errors: { name: [validationMessage('name.taken', 'name')] } });

async function orTaken(write: () => Promise<StoredTemplate>): Promise<StoredTemplate> {
  try {
    return await write();
  } catch (error) {
    if (!(error instanceof DuplicateError)) throw error;
    return taken();
  }
}

/** The fields of a new template; an operator may give no text as null. */
type NewTemplateInput = Omit<NewTemplateFields, 'text'> & { text?: string | null };

/** Creates a template from fields that keep their rules. Rejects when the store does. */
export async function createTemplate(
  templates: Pick<TemplateStore, 'create' | 'list'>,
  workspaceId: number,
  { name, subject, html, text = null, variables = [] }: NewTemplateInput,
  now: number,
): Promise<StoredTemplate> {
  const content = { subject, html, text, variables };
  const errors = checkTemplate(content);
  if (errors) return { errors };
  // A bound, not a rule: creations at once may pass it by a few.
  if ((await templates.list(workspaceId)).length >= MAX_TEMPLATES)
    return { errors: { name: [refusal('limit', { most: MAX_TEMPLATES })] } };
  return orTaken(async () => ({ template: await templates.create({ workspaceId, name, ...content, createdAt: now }) }));
}

/**
 * Changes the given fields of a template; null when the workspace does not have it. The whole is checked. An edit that
 * came in between is not lost: this one is then decided again. Rejects when the store does.
 */
export async function editTemplate(
  templates: Pick<TemplateStore, 'get' | 'edit'>,
  { workspaceId, id }: { workspaceId: number; id: number },
  change: EditTemplateFields,
  now: number,
): Promise<StoredTemplate | null> {
  for (;;) {
    const template = await templates.get(id);
    if (template?.workspaceId !== workspaceId) return null;
    if (Object.keys(change).length === 0) return { template };
    const { name, subject, html, text, variables } = { ...template, ...change };
    const errors = checkTemplate({ subject, html, text, variables });
    if (errors) return { errors };
    const edit = { name, subject, html, text, variables, updatedAt: now };
    const edited = await orTaken(async () => {
      const stored = await templates.edit(id, template.version, edit);
      return stored ? { template: stored } : { errors: {} };
    });
    if ('template' in edited || Object.keys(edited.errors).length > 0) return edited;
  }
}

/** Deletes a template; messages keep what they were composed from. False if the workspace has no such template. */
export const deleteTemplate = (
  templates: Pick<TemplateStore, 'delete'>,
  { workspaceId, id }: Pick<Template, 'workspaceId' | 'id'>,
): Promise<boolean> => templates.delete(workspaceId, id);
