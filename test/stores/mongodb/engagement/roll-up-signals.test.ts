import { expect, it } from '@jest/globals';
import { DAY, HOUR } from '../../../../lib/clock';
import { hourOf } from '../../../../domain/engagement/engagement';
import { documents } from '../../../../stores/mongodb/database/documents';
import { prepareCollections } from '../../../../stores/mongodb/database/prepare';
import { rollUpSignals } from '../../../../stores/mongodb/engagement/roll-up-signals';
import { acceptMessage, aContact, aSignal, createSender } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { atOnce, inTurn } from '../../../contract/helpers';
import { FlakyLog, ownDatabase } from '../support';

const NOW = hourOf(TEST_START);

describeOn(['mongodb'], 'data of a program without roll-ups', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const rowsOf = () => documents(database.mongo.db, 'engagement').find().sort({ _id: 1 }).toArray();
  const lastsOf = () =>
    documents(database.mongo.db, 'messages')
      .find({}, { projection: { openedAt: 1, clickedAt: 1 } })
      .sort({ _id: 1 })
      .toArray();

  it('gets the rows that signals would have written, from several processes and beside new signals', async () => {
    const { mongo } = database;
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const sender = await createSender(stores);
    const contacts = await inTurn(30, () => stores.contacts.ensure(aContact(sender.workspace.id)));
    const mails = await inTurn(60, (n) => acceptMessage(stores, { ...sender, contact: contacts[n % 30]! }));
    const store = (n: number) => {
      const kind = n % 3 === 0 ? ('click' as const) : ('open' as const);
      const at = NOW - ((n * 7) % 90) * HOUR;
      const signal = aSignal(mails[n % 55]!.id, { kind, at, link: kind === 'click' ? 0 : null });
      return stores.signals.store(signal, sender.workspace.id, []);
    };
    await atOnce(200, store);
    const [rows, lasts] = [await rowsOf(), await lastsOf()];
    expect(rows.length).toBeGreaterThan(100);

    await documents(mongo.db, 'engagement').deleteMany({});
    await documents(mongo.db, 'messages').updateMany({}, { $unset: { openedAt: '', clickedAt: '' } });
    await documents(mongo.db, 'meta').updateOne({ _id: 'schema' }, { $set: { version: 1 } });
    await atOnce(2, () => prepareCollections(mongo.db));
    expect(await rowsOf()).toEqual(rows);
    expect(await lastsOf()).toEqual(lasts);

    await documents(mongo.db, 'engagement').deleteMany({});
    await documents(mongo.db, 'messages').updateMany({}, { $unset: { openedAt: '', clickedAt: '' } });
    await Promise.all([rollUpSignals(mongo.db), rollUpSignals(mongo.db), atOnce(60, (n) => store(200 + n))]);
    const counted = await rowsOf();
    await rollUpSignals(mongo.db);
    expect(await rowsOf()).toEqual(counted);
    const { items } = await stores.engagement.top(sender.workspace.id, {
      by: 'clicks',
      since: NOW - DAY,
      audienceId: null,
      offset: 0,
      limit: 200,
    });
    const clicks = await documents(mongo.db, 'signals').countDocuments({ kind: 'click', at: { $gte: NOW - DAY } });
    expect(items.reduce((sum, { totalClicks }) => sum + totalClicks, 0)).toBe(clicks);
  });
});
