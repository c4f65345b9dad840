import { expect, it } from '@jest/globals';
import { MINUTE } from '../../../../lib/clock';
import { parkedRecords } from '../../../../stores/mongodb/log/parked-records';
import { atOnce } from '../../../contract/helpers';
import { TEST_START as NOW } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { ownDatabase } from '../support';

describeOn(['mongodb'], 'parked records on MongoDB', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const aRecord = (n: number) => ({
    topic: 'coins.entries' as const,
    group: 'coins' as const,
    key: `${n}`,
    version: 2,
    value: { 'a.b': [n, null], $set: 'x\0y', nested: { '': 'leer' } },
    reason: 'nobody knows this shape',
    parkedAt: NOW + n,
  });

  it('are listed by id as they were, whatever is in them; one caller of 20 takes one, until its time is over', async () => {
    const parked = parkedRecords(database.mongo);
    for (let n = 0; n < 3; n += 1) await parked.add(aRecord(n));
    const listed = await parked.list(10);
    expect(listed.map(({ id: _, ...record }) => record)).toEqual([0, 1, 2].map(aRecord));
    expect(await parked.list(1, listed[0]!.id)).toEqual([listed[1]]);

    const { id } = listed[0]!;
    const taken = await atOnce(20, (n) => parked.take(id, `caller ${n}`, NOW, MINUTE));
    const winner = taken.findIndex((record) => record !== null);
    expect(taken.filter((record) => record !== null)).toEqual([listed[0]]);
    expect(await parked.take(id, 'late', NOW + MINUTE - 1, MINUTE)).toBeNull();
    await parked.remove(id, 'late');
    expect(await parked.list(10)).toHaveLength(3);
    expect(await parked.take(id, 'later', NOW + MINUTE, MINUTE)).toEqual(listed[0]);
    await parked.remove(id, `caller ${winner}`);
    expect(await parked.list(10)).toHaveLength(3);
    await parked.remove(id, 'later');
    expect(await parked.list(10)).toEqual(listed.slice(1));
    expect(await parked.take(id, 'again', NOW + MINUTE, MINUTE)).toBeNull();
  });
});
