import { MEMBERSHIPS } from '../../operations/people/people';
import type { Stores } from '../../stores/ports';

/** Calls what reads and writes the record store, so that its plans are seen. */
export async function exerciseRecords({ records }: Stores, at: number): Promise<void> {
  const body = { role: 'viewer', since: at } as const;
  const entry = {
    id: 'a@b.test 1',
    user: 'a@b.test',
    workspaceId: 1,
    body,
  } as const;
  const held = (await records.add(MEMBERSHIPS, entry, at))!;
  await records.replace(MEMBERSHIPS, held, entry, at);
  await records.list(MEMBERSHIPS, {}, at);
  await records.list(MEMBERSHIPS, { user: 'a@b.test' }, at);
  await records.list(MEMBERSHIPS, { workspaceId: 1 }, at);
  await records.list(MEMBERSHIPS, { user: null, workspaceId: null }, at);
  await records.list(MEMBERSHIPS, { prefix: 'a@b.test ' }, at);
  await records.take(MEMBERSHIPS, entry.id, at);
  await records.removeOf(MEMBERSHIPS, 'a@b.test', null);
  await records.trim(at, 10);
}
