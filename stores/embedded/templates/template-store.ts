import type { Template } from '../../../domain/templates/template';
import type { NewTemplate, TemplateEdit, TemplateItem, TemplateStore } from '../../ports/template-store';
import { ColumnList, columns, jsonColumn, textColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { orDuplicate } from '../database/duplicates';

const TEMPLATE = new ColumnList<Template>('templates', {
  ...columns('id', 'workspaceId', 'name', 'version', 'createdAt', 'updatedAt'),
  subject: textColumn('subject'),
  html: textColumn('html'),
  text: textColumn('text'),
  variables: jsonColumn('variables'),
});
const ITEM: ColumnList<TemplateItem> = TEMPLATE.without('html', 'text');
const NEW = TEMPLATE.without('id');
const EDIT = TEMPLATE.only(['name', 'subject', 'html', 'text', 'variables', 'updatedAt']);

/** Embedded driver of TemplateStore. */
export function templateStore(db: Database, commits: Commits): TemplateStore {
  return {
    create: (template) => commits.write(() => create(db, template)),
    get: async (id) => read(db, id),
    list: async (workspaceId) => ITEM.all(db, 'WHERE workspace_id = ? ORDER BY name', workspaceId),
    edit: (id, version, change) => commits.write(() => edit(db, id, version, change)),
    delete: (workspaceId, id) =>
      commits.write(() => db.run('DELETE FROM templates WHERE id = ? AND workspace_id = ?', id, workspaceId) > 0),
  };
}

const read = (db: Database, id: number): Template | null => TEMPLATE.get(db, 'WHERE id = ?', id);

function create(db: Database, template: NewTemplate): Template {
  const made = { ...template, version: 1, updatedAt: template.createdAt };
  const id = orDuplicate(`The template ${template.name} exists.`, () => NEW.insert(db, made));
  return { ...made, id };
}

function edit(db: Database, id: number, version: number, change: TemplateEdit): Template | null {
  const changed = orDuplicate(`The template ${change.name} exists.`, () =>
    db.run(
      `UPDATE templates SET ${EDIT.assignments}, version = version + 1 WHERE id = ? AND version = ?`,
      ...EDIT.bind(change),
      id,
      version,
    ),
  );
  return changed === 1 ? read(db, id) : null;
}
