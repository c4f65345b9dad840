import type { ListCount } from '../../../domain/audit/check-lists';
import { BLOCK_SIZE, type ListBlock } from '../../ports/list-blocks';
import { contactBlocks } from '../counted-list';
import { documents } from '../documents';
import { guard } from '../guard';
import type { Snapshot } from '../snapshot';

/** The counters of a workspace's contacts, with those that are not counted yet, beside the contacts there are. */
export async function* listPages(snapshot: Snapshot, workspaceId: number): AsyncGenerator<ListCount[]> {
  const counters = byBlock(await contactBlocks(snapshot, workspaceId));
  const items = byBlock(await countContacts(snapshot, workspaceId));
  const blocks = [...new Set([...counters.keys(), ...items.keys()])].sort((a, b) => a - b);
  yield blocks.map((block) => ({
    list: 'contacts',
    from: block * BLOCK_SIZE,
    to: (block + 1) * BLOCK_SIZE - 1,
    items: items.get(block) ?? 0,
    counted: counters.get(block) ?? 0,
  }));
}

const byBlock = (blocks: readonly ListBlock[]): Map<number, number> =>
  new Map(blocks.map(({ block, n }) => [block, n]));

/** On the server, from the index alone. */
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
