import { expect, it } from '@jest/globals';
import { groupStarts } from '../../../../stores/mongodb/log/group-starts';
import { atOnce } from '../../../contract/helpers';
import { describeOn } from '../../../support/real-services';
import { ownDatabase } from '../support';

describeOn(['mongodb'], 'where groups began, on MongoDB', ({ mongodb }) => {
  const database = ownDatabase(mongodb);

  it('is noted once of many who say so at the same moment, and forgotten partition by partition', async () => {
    const starts = groupStarts(database.mongo);
    expect(await starts.noted('coins', 'coins.entries')).toBeNull();
    const at = (n: number) => new Map([0, 1].map((partition) => [partition, 10 * n + partition]));
    const answers = await atOnce(20, (n) => starts.begin('coins', 'coins.entries', at(n)));
    const first = await starts.noted('coins', 'coins.entries');
    expect(first?.size).toBe(2);
    for (const answer of answers) expect(answer).toEqual(first);
    expect(await starts.noted('coins', 'conversions')).toBeNull();

    await starts.settle('coins', 'coins.entries', []);
    await starts.settle('coins', 'coins.entries', [0]);
    expect(await starts.noted('coins', 'coins.entries')).toEqual(new Map([[1, first!.get(1)]]));
    await starts.settle('coins', 'coins.entries', [1]);
    expect(await starts.begin('coins', 'coins.entries', at(7))).toEqual(new Map());
  });
});
