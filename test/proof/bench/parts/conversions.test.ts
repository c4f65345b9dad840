import { expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { sellInTurn } from '../../../../proof/bench/parts/conversions';
import { fillSalesDatabase, fillSalesFile, SHOP } from '../../../../proof/bench/sales-fill';
import { openEmbedded } from '../../../../stores/embedded/open';
import { openMongo } from '../../../../stores/mongodb/database/client';
import { prepareCollections } from '../../../../stores/mongodb/database/prepare';
import { mongoStores } from '../../../../stores/mongodb/stores';
import { frozenClock } from '../../../support/clock';
import { describeOn, uniqueName } from '../../../support/real-services';
import { temporaryDir } from '../../../support/running';

const SIZE = { clicks: 500, sales: 50 };

it('the bench of conversions fills a file, and its sales are linked', async () => {
  const dir = temporaryDir();
  const file = join(dir, 'kurir.sqlite');
  await (await openEmbedded({ file, clock: frozenClock() })).close();
  fillSalesFile(file, SIZE);
  const engine = await openEmbedded({ file, clock: frozenClock() });
  const [times] = await sellInTurn([{ size: SIZE, stores: engine.stores }], 12);
  expect([times?.accept.length, times?.link.length]).toEqual([12, 12]);
  expect((await engine.stores.conversions.list(SHOP, {}, { offset: 0, limit: 1 })).total).toBe(62);
  await engine.close();
  rmSync(dir, { recursive: true });
});

describeOn(['mongodb'], 'the bench of conversions on MongoDB', ({ mongodb }) => {
  it('fills a database, and its sales are linked', async () => {
    const mongo = await openMongo({ url: mongodb, database: uniqueName() });
    await prepareCollections(mongo.db);
    await fillSalesDatabase(mongo, SIZE);
    const engine = mongoStores(mongo, { clock: frozenClock(), publish: () => Promise.resolve() });
    expect((await sellInTurn([{ size: SIZE, stores: engine.stores }], 12))[0]?.link).toHaveLength(12);
    expect((await engine.stores.conversions.list(SHOP, {}, { offset: 0, limit: 1 })).total).toBe(62);
    await engine.close();
    await mongo.db.dropDatabase();
    await mongo.close();
  });
});
