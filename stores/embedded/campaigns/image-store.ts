import type { Image, ImageQuota } from '../../../domain/images/image';
import type { ImageStore, ImageUse } from '../../ports/image-store';
import { column, ColumnList, columns, textColumn } from '../database/columns';
import type { Commits } from '../database/commits';
import type { Database } from '../database/database';

const IMAGE = new ColumnList<Image>('images', {
  ...columns('id', 'workspaceId', 'type', 'size', 'width', 'height', 'createdAt'),
  name: textColumn('name'),
});
const CONTENT = new ColumnList<{ id: string; content: Uint8Array }>('image_contents', {
  id: column('id'),
  content: column('content'),
});

/** Embedded driver of ImageStore. */
export function imageStore(db: Database, commits: Commits): ImageStore {
  return {
    add: (image, content, quota) => commits.write((tx) => add(tx.db, image, content, quota)),
    content: async (id) => {
      const image = read(db, id);
      const kept = image && CONTENT.get(db, 'WHERE id = ?', id);
      return kept && { image, content: kept.content };
    },
    list: async (workspaceId) => IMAGE.all(db, 'WHERE workspace_id = ? ORDER BY created_at DESC, id', workspaceId),
    usedBy: async (workspaceId, id) => usedBy(db, workspaceId, id),
    delete: (workspaceId, id) => commits.write((tx) => remove(tx.db, workspaceId, id)),
  };
}

const read = (db: Database, id: string): Image | null => IMAGE.get(db, 'WHERE id = ?', id);

function add(db: Database, image: Image, content: Uint8Array, quota: ImageQuota): Image | null {
  const there = read(db, image.id);
  if (there) return there;
  const { count, bytes } = db.get<Record<keyof ImageQuota, number>>(
    'SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM images WHERE workspace_id = ?',
    image.workspaceId,
  )!;
  if (count + 1 > quota.count || bytes + image.size > quota.bytes) return null;
  IMAGE.insert(db, image);
  CONTENT.insert(db, { id: image.id, content });
  return image;
}

function usedBy(db: Database, workspaceId: number, id: string): ImageUse | null {
  const found = db.get<ImageUse>(
    `SELECT 'campaign' AS kind, id FROM campaigns WHERE workspace_id = ?1 AND instr(html, ?2) > 0
     UNION ALL SELECT 'template', id FROM templates WHERE workspace_id = ?1 AND instr(html, ?2) > 0
     UNION ALL SELECT 'journey', j.id FROM journeys j JOIN journey_mails m ON m.journey_id = j.id
       WHERE j.workspace_id = ?1 AND instr(m.html, ?2) > 0
     LIMIT 1`,
    workspaceId,
    id,
  );
  return found ?? null;
}

function remove(db: Database, workspaceId: number, id: string): boolean {
  if (db.run('DELETE FROM images WHERE id = ? AND workspace_id = ?', id, workspaceId) === 0) return false;
  db.run('DELETE FROM image_contents WHERE id = ?', id);
  return true;
}
