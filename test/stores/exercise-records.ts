import type { Stores } from '../../stores/ports';

/** Calls what reads and writes the record store, so that its plans are seen. */
export async function exerciseRecords({ records }: Stores, at: number): Promise<void> {
  const body = { role: 'viewer', since: at } as const;
  const entry = {
    kind: 'membership',
    id: 'a@b.test 1',
    user: 'a@b.test',
    workspaceId: 1,
    expiresAt: null,
    body,
  } as const;
  await records.add(entry, at);
  await records.change({ ...entry, version: 1 });
  const page = { after: '', limit: 10, now: at };
  await records.list('membership', {}, page);
  await records.list('membership', { user: 'a@b.test' }, page);
  await records.list('membership', { workspaceId: 1 }, page);
  await records.take('membership', entry.id, at);
  await records.removeOf('membership', 'a@b.test', null);
  await records.trim(at, 10);
}
