import type { TemplateStore } from '../../ports/template-store';
import { mapOne, mapAll } from '../database/reads';
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
    get: (id) => mapOne(templates.findOne({ _id: id }), fromDocument),
    list: (workspaceId) =>
      mapAll(templates.find({ workspaceId }, { projection: { html: 0, text: 0 } }).sort({ name: 1 }), fromDocument),
    edit: (id, version, edit) =>
      mapOne(
        orDuplicate(`The template ${edit.name} exists.`, () =>
          templates.findOneAndUpdate(
            { _id: id, version },
            { $set: edit, $inc: { version: 1 } },
            { returnDocument: 'after' },
          ),
        ),
        fromDocument,
      ),
    delete: async (workspaceId, id) => (await templates.deleteOne({ _id: id, workspaceId })).deletedCount === 1,
  });
}
