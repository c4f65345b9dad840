import type { Stores } from '../../stores/ports';

/** Calls what reads and writes the directory, so that its plans are seen. */
export async function exerciseDirectory({ directory }: Stores, at: number): Promise<void> {
  const body = { role: 'viewer', since: at } as const;
  const entry = {
    kind: 'membership',
    id: 'a@b.test 1',
    user: 'a@b.test',
    workspaceId: 1,
    expiresAt: null,
    body,
  } as const;
  await directory.add(entry, at);
  await directory.change({ ...entry, version: 1 });
  const page = { after: '', limit: 10, now: at };
  await directory.list('membership', {}, page);
  await directory.list('membership', { user: 'a@b.test' }, page);
  await directory.list('membership', { workspaceId: 1 }, page);
  await directory.take('membership', entry.id, at);
  await directory.removeOf('membership', 'a@b.test', null);
  await directory.trim(at, 10);
}
