import type { ListCount } from '../../../domain/audit/check-lists';
import { BLOCK_SIZE, type ListBlock } from '../../../domain/contacts/list-blocks';
import { contactBlocks, readBlocks } from '../contacts/counted-list';
import { documents } from '../database/documents';
import { guard } from '../transactions/guard';
import type { Snapshot } from '../transactions/snapshot';

/**
 * The counters of a workspace's contacts (including those not counted yet) and of its audiences, next to the actual
 * items.
 */
export async function* listPages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<ListCount[]> {
  const contacts = await countContacts(snapshot, workspaceId);
  yield compareCounts('contacts', contacts, await contactBlocks(snapshot, workspaceId));
  const audiences = documents(snapshot.db, 'audiences').find(
    { workspaceId },
    { ...snapshot.moment, projection: { contactsCount: 1 } },
  );
  for (const { _id: id, contactsCount: counted } of await guard(() => audiences.toArray())) {
    const list = `members of audience ${id}`;
    const members = await countMembers(snapshot, id);
    yield compareCounts(list, members, await readBlocks(snapshot, 'members', id));
    const items = members.reduce((sum, { n }) => sum + n, 0);
    yield [{ list: `${list} in all,`, from: 0, to: Number.MAX_SAFE_INTEGER, items, counted }];
  }
}

function compareCounts(list: string, there: readonly ListBlock[], counted: readonly ListBlock[]): ListCount[] {
  const [items, counters] = [byBlock(there), byBlock(counted)];
  const blocks = [...new Set([...counters.keys(), ...items.keys()])].sort((a, b) => a - b);
  return blocks.map((block) => ({
    list,
    from: block * BLOCK_SIZE,
    to: (block + 1) * BLOCK_SIZE - 1,
    items: items.get(block) ?? 0,
    counted: counters.get(block) ?? 0,
  }));
}

const byBlock = (blocks: readonly ListBlock[]): Map<number, number> =>
  new Map(blocks.map(({ block, n }) => [block, n]));

/** Counts on the server, from the index alone. */
function countContacts({ db, moment }: Snapshot, workspaceId: number): Promise<ListBlock[]> {
  const blocks = documents(db, 'contacts').aggregate<ListBlock>(
    [
      { $match: { workspaceId } },
      { $group: { _id: { $floor: { $divide: ['$_id', BLOCK_SIZE] } }, n: { $sum: 1 } } },
      { $project: { _id: 0, block: '$_id', n: 1 } },
    ],
    { ...moment, hint: 'contacts_of_workspace' },
  );
  return guard(() => blocks.toArray());
}

/** A member whose contact is gone counts nothing, so its counter is found to be too high. */
function countMembers({ db, moment }: Snapshot, audienceId: number): Promise<ListBlock[]> {
  const blocks = documents(db, 'members').aggregate<ListBlock>(
    [
      { $match: { audienceId } },
      { $lookup: { from: 'contacts', localField: 'contactId', foreignField: '_id', as: 'contact' } },
      {
        $group: {
          _id: { $floor: { $divide: ['$contactId', BLOCK_SIZE] } },
          n: { $sum: { $size: '$contact' } },
        },
      },
      { $project: { _id: 0, block: '$_id', n: 1 } },
    ],
    { ...moment, hint: 'members_of_audience' },
  );
  return guard(() => blocks.toArray());
}
