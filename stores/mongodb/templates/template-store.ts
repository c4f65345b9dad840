import type { TemplateStore } from '../../ports/template-store';
import type { Mongo } from '../database/client';
import { documents, fromDocument, toDocument } from '../database/documents';
import { takeIds } from '../database/ids';
import { guarded, orDuplicate } from '../transactions/guard';

/** MongoDB driver of TemplateStore. */
export function templateStore(mongo: Mongo): TemplateStore {
  const templates = documents(mongo.db, 'templates');
  return guarded<TemplateStore>({
    create: async (fields) => {
      const id = await takeIds(mongo, 'templates');
      const template = { ...fields, id, version: 1, updatedAt: fields.createdAt };
      await orDuplicate(`The template ${fields.name} exists.`, () => templates.insertOne(toDocument(template)));
      return template;
    },
    get: async (id) => {
      const found = await templates.findOne({ _id: id });
      return found && fromDocument(found);
    },
    list: async (workspaceId) => {
      const found = templates.find({ workspaceId }, { projection: { html: 0, text: 0 } }).sort({ name: 1 });
      return (await found.toArray()).map(fromDocument);
    },
    edit: async (id, version, edit) => {
      const changed = await orDuplicate(`The template ${edit.name} exists.`, () =>
        templates.findOneAndUpdate(
          { _id: id, version },
          { $set: edit, $inc: { version: 1 } },
          { returnDocument: 'after' },
        ),
      );
      return changed && fromDocument(changed);
    },
    delete: async (workspaceId, id) => (await templates.deleteOne({ _id: id, workspaceId })).deletedCount === 1,
  });
}
