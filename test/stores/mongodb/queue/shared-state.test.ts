import { expect, it } from '@jest/globals';
import { MINUTE } from '../../../../lib/clock';
import { readSchema } from '../../../../stores/mongodb/database/schema-step';
import { readShared } from '../../../../stores/mongodb/queue/shared-state';
import { TEST_START as NOW } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { FlakyLog, ownDatabase } from '../support';

describeOn(['mongodb'], 'what processes compare', ({ mongodb }) => {
  const database = ownDatabase(mongodb);

  it('is read in one request: the time of the server, settings, leases and the schema as their stores tell them', async () => {
    const { stores, mongo } = await database.instance(new FlakyLog());
    await stores.settings.set('processes', { one: { name: 'one' } });
    await stores.settings.set('topic_prefix', 'kurir.');
    for (const name of ['process/b', 'process/a', 'gone']) await stores.leases.acquire(name, name, NOW, MINUTE);
    await stores.leases.retire('gone');
    const before = Date.now();
    const { time, settings, leases, schema } = await readShared(mongo, ['processes', 'partitions']);
    expect(Math.abs(time - before)).toBeLessThan(MINUTE);
    expect(await settings.get('processes')).toEqual({ one: { name: 'one' } });
    expect([await settings.get('partitions'), await settings.get('topic_prefix')]).toEqual([undefined, undefined]);
    expect(await leases.list()).toEqual(await stores.leases.list());
    expect(schema).toEqual(await readSchema(mongo.db));
  });
});
