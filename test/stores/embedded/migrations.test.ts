import { expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListCount } from '../../../domain/audit/check-lists';
import { openAuditSource } from '../../../stores/embedded/audit/audit-source';
import { openEmbedded } from '../../../stores/embedded/open';
import { acceptMessage, aContact, createSender } from '../../support/builders';
import { frozenClock } from '../../support/clock';

/** What version 2 added to the lists. */
const BACK_TO_1 = `DROP TABLE list_blocks; DROP TABLE message_blocks; DROP INDEX messages_in_order;
  CREATE INDEX messages_of_workspace ON messages (workspace_id); PRAGMA user_version = 1`;

test('the lists of a file of schema version 1 are counted at the first start, and go on from there', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-migration-'));
  const file = join(dir, 'kurir.sqlite');
  const open = () => openEmbedded({ file, clock: frozenClock() });
  const first = await open();
  const sender = await createSender(first.stores);
  const { id: workspaceId } = sender.workspace;
  const message = await acceptMessage(first.stores, sender);
  await first.stores.contacts.ensure(aContact(workspaceId));
  await first.close();
  const db = new DatabaseSync(file);
  db.exec(BACK_TO_1);
  db.close();

  const second = await open();
  const { stores } = second;
  await acceptMessage(stores, sender);
  await stores.messages.change(message.id, () => ({ set: { status: 'failed' }, at: 1, records: [] }));
  expect((await stores.contacts.list(workspaceId, { offset: 1, limit: 5 })).items).toHaveLength(1);
  const failed = await stores.messages.list(workspaceId, { status: 'failed', offset: 0, limit: 5 });
  expect([failed.total, failed.items.map(({ id }) => id)]).toEqual([1, [message.id]]);
  await second.close();
  const source = openAuditSource(file);
  const counts: ListCount[] = [];
  await source.workspace(workspaceId, async (snapshot) => {
    for await (const page of snapshot.lists()) counts.push(...page);
  });
  await source.close();
  expect(counts.filter(({ items, counted }) => items !== counted)).toEqual([]);
  expect(counts.find(({ list }) => list === 'contacts')).toMatchObject({ items: 2, from: 0, to: 1_023 });
  rmSync(dir, { recursive: true });
});
