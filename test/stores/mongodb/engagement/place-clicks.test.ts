import { expect, it } from '@jest/globals';
import { documents } from '../../../../stores/mongodb/database/documents';
import { prepareCollections } from '../../../../stores/mongodb/database/prepare';
import { acceptMessage, aSignal, createSender } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { FlakyLog, ownDatabase } from '../support';

const LINKS = ['https://a.test/', 'https://b.test/?e=budi%40contoh.test'];

describeOn(['mongodb'], 'signals of a program of schema version 1', ({ mongodb }) => {
  const database = ownDatabase(mongodb);

  it('name their destination by its place in the list of links, and no more by its URL', async () => {
    const { db } = database.mongo;
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const message = await acceptMessage(stores, await createSender(stores));
    await stores.messages.change(message.id, () => ({ set: {}, links: LINKS, at: TEST_START, records: [] }));
    const older = [LINKS[1]!, 'https://gone.test/', null].map((url, n) => {
      const { id: _id, link: _, ...rest } = aSignal(message.id, { kind: url ? 'click' : 'open', at: TEST_START + n });
      return { _id, ...rest, workspaceId: message.workspaceId, url };
    });
    await db.collection<(typeof older)[number]>('signals').insertMany(older);
    await documents(db, 'meta').updateOne({ _id: 'schema' }, { $set: { version: 1 } });
    await prepareCollections(db);
    const found = await stores.signals.ofMessage(message.id);
    expect(found.map(({ kind, link }) => [kind, link])).toEqual([
      ['click', 1],
      ['click', null],
      ['open', null],
    ]);
    expect(await documents(db, 'signals').countDocuments({ url: { $exists: true } })).toBe(0);
  });
});
