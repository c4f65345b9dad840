import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listCounts } from '../../../../operations/audit/list-counts';
import { checkListCount } from '../../../../domain/audit/check-lists';
import { openAuditSource } from '../../../../stores/embedded/audit/audit-source';
import { openEmbedded } from '../../../../stores/embedded/open';
import { aContact, createSender } from '../../../support/builders';
import { frozenClock, TEST_START } from '../../../support/clock';
import { anAudience } from '../../../support/marketing';

describe('the audit of the members of an audience', () => {
  const dir = mkdtempSync(join(tmpdir(), 'kurir-members-'));
  const sound = join(dir, 'sound.sqlite');
  let workspaceId: number;
  let copies = 0;

  beforeAll(async () => {
    const engine = await openEmbedded({ file: sound, clock: frozenClock() });
    const { stores } = engine;
    workspaceId = (await createSender(stores)).workspace.id;
    const { id } = await stores.audiences.create(anAudience(workspaceId));
    for (let n = 0; n < 3; n += 1) {
      await stores.audiences.join(workspaceId, id, { contact: aContact(workspaceId) }, TEST_START);
    }
    await engine.close();
  });
  afterAll(() => rmSync(dir, { recursive: true }));

  /** What the audit says of the data after the damage. */
  async function differences(damage: string): Promise<string[]> {
    const file = join(dir, `${(copies += 1)}.sqlite`);
    copyFileSync(sound, file);
    const db = new DatabaseSync(file);
    db.exec(damage);
    db.close();
    const source = openAuditSource(file);
    const found = await source.snapshot(async (rows) => {
      const all: string[] = [];
      for await (const page of listCounts(rows, source.kept, workspaceId)) {
        for (const count of page.filter(({ list }) => list.startsWith('members'))) {
          all.push(...checkListCount(workspaceId, count).map(({ expected, found: is }) => `${expected} / ${is}`));
        }
      }
      return all;
    });
    await source.close();
    return found;
  }

  test('finds nothing where there is nothing', async () => {
    expect(await differences('')).toEqual([]);
  });

  test.each([
    ['a number of members that is wrong', 'UPDATE audiences SET contacts_count = 99', ['3 / 99']],
    ['a counter that is gone', `DELETE FROM list_blocks WHERE list = 'members' AND level = 0`, ['3 / 0', '0 / 3']],
    [
      'a member who is not counted',
      `INSERT INTO audience_members (audience_id, contact_id, joined_at, confirmed_at)
       SELECT audience_id, 1, 1, 1 FROM audience_members LIMIT 1`,
      ['4 / 3', '4 / 3'],
    ],
    [
      'a member who is no contact',
      'UPDATE audience_members SET contact_id = 900 WHERE contact_id = 3',
      ['2 / 3', '2 / 3'],
    ],
  ])('finds %s', async (_, damage, expected) => {
    expect(await differences(damage)).toEqual(expected);
  });
});
