import type { Template } from '../../domain/templates/template';

export type NewTemplate = Omit<Template, 'id' | 'version' | 'updatedAt'>;
/** A template without its content, which may be large. */
export type TemplateItem = Omit<Template, 'html' | 'text'>;
/** What an edit writes. */
export type TemplateEdit = Pick<Template, 'name' | 'subject' | 'html' | 'text' | 'variables' | 'updatedAt'>;

/** Templates of messages. A name belongs to at most one template of a workspace. */
export interface TemplateStore {
  /** In version 1. Rejects with DuplicateError if the name is taken. */
  create(template: NewTemplate): Promise<Template>;
  get(id: number): Promise<Template | null>;
  /** In the order of their names, by code point. */
  list(workspaceId: number): Promise<TemplateItem[]>;
  /**
   * Writes an edit that was decided on `version`, and counts it. Null if the template is gone or has another version
   * by now: then nothing was written. Rejects with DuplicateError if the name is taken.
   */
  edit(id: number, version: number, edit: TemplateEdit): Promise<Template | null>;
  /** False if the workspace has no such template. */
  delete(workspaceId: number, id: number): Promise<boolean>;
}
