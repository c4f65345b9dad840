import type { Template, TemplateVariable } from '../../../domain/templates/template';
import type { NewTemplate, TemplateEdit, TemplateItem, TemplateStore } from '../../ports/template-store';
import { column, ColumnList, jsonColumn, textColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';
import { orDuplicate } from '../database/duplicates';

const TEMPLATE = new ColumnList<Template>({
  id: column('id'),
  workspaceId: column('workspace_id'),
  name: column('name'),
  subject: textColumn('subject'),
  html: textColumn('html'),
  text: textColumn<string | null>('text'),
  variables: jsonColumn<TemplateVariable[]>('variables'),
  version: column('version'),
  createdAt: column('created_at'),
  updatedAt: column('updated_at'),
});
const ITEM: ColumnList<TemplateItem> = TEMPLATE.without('html', 'text');
const NEW = TEMPLATE.without('id');
const EDIT = TEMPLATE.only(['name', 'subject', 'html', 'text', 'variables', 'updatedAt']);

/** Embedded driver of TemplateStore. */
export function templateStore(db: Database, commits: Commits): TemplateStore {
  return {
    create: (template) => commits.write(() => create(db, template)),
    get: async (id) => read(db, id),
    list: async (workspaceId) =>
      db
        .all<object>(
          `SELECT ${ITEM.select('t')} FROM templates t WHERE t.workspace_id = ? ORDER BY t.name`,
          workspaceId,
        )
        .map((row) => ITEM.fromRow(row)),
    edit: (id, version, change) => commits.write(() => edit(db, id, version, change)),
    delete: (workspaceId, id) =>
      commits.write(() => db.run('DELETE FROM templates WHERE id = ? AND workspace_id = ?', id, workspaceId) > 0),
  };
}

function read(db: Database, id: number): Template | null {
  const row = db.get<object>('SELECT * FROM templates WHERE id = ?', id);
  return row ? TEMPLATE.fromRow(row) : null;
}

function create(db: Database, template: NewTemplate): Template {
  const made = { ...template, version: 1, updatedAt: template.createdAt };
  const { columns } = NEW;
  const sql = `INSERT INTO templates (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`;
  const id = orDuplicate(`The template ${template.name} exists.`, () => db.insert(sql, ...NEW.bind(made)));
  return { ...made, id };
}

function edit(db: Database, id: number, version: number, change: TemplateEdit): Template | null {
  const set = EDIT.columns.map((name) => `${name} = ?`).join(', ');
  const changed = orDuplicate(`The template ${change.name} exists.`, () =>
    db.run(
      `UPDATE templates SET ${set}, version = version + 1 WHERE id = ? AND version = ?`,
      ...EDIT.bind(change),
      id,
      version,
    ),
  );
  return changed === 1 ? read(db, id) : null;
}
