import { beforeEach, expect, it } from '@jest/globals';
import type { Document, UpdateFilter } from 'mongodb';
import { CONVERSION_WORK } from '../../../../domain/conversions/attribution';
import { DAY, MINUTE } from '../../../../lib/clock';
import { documents } from '../../../../stores/mongodb/database/documents';
import { prepareCollections } from '../../../../stores/mongodb/database/prepare';
import { acceptMessage, aSignal, createSender, messageId } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { aConversion } from '../../../support/marketing';
import { describeOn } from '../../../support/real-services';
import { eventually, present } from '../../../contract/helpers';
import { FlakyLog, ownDatabase } from '../support';
import { findingsIn } from './support';

const UNKNOWN = messageId();

interface Damage {
  what: string;
  update: UpdateFilter<Document>;
  finds: [rule: string, expected: RegExp, found: RegExp];
}

/** Each is done to a sale that is linked to click-2, behind which there is click-1. */
const DAMAGES: Damage[] = [
  {
    what: 'a sale that is linked to an earlier click',
    update: { $set: { 'link.clickId': 'click-1', 'link.clickedAt': NOW - 2 * MINUTE } },
    finds: ['conversion-link', /^click click-2 at 2026/, /^click click-1 at 2026/],
  },
  {
    what: 'a sale that is linked to a click that there is not',
    update: { $set: { 'link.clickId': 'click-9' } },
    finds: ['conversion-link', /^click click-2 at 2026/, /^click click-9 at 2026/],
  },
  {
    what: 'a sale that is linked at another time than that of its click',
    update: { $inc: { 'link.clickedAt': -1 } },
    finds: ['conversion-link', /02:59:00\.000/, /02:58:59\.999/],
  },
  {
    what: 'a sale that was moved to a week in which nobody clicked',
    update: { $inc: { occurredAt: 8 * DAY } },
    finds: ['conversion-link', /^no click$/, /click-2 at 2026/],
  },
  {
    what: 'a sale of a message that there is not',
    update: { $set: { 'link.messageId': UNKNOWN } },
    finds: ['conversion-message', /^message 01.* of workspace \d/, /of workspace none/],
  },
  {
    what: 'a sale that counts for another campaign',
    update: { $set: { 'link.campaignId': 999 } },
    finds: ['conversion-message', /campaign 41 and/, /campaign 999 and/],
  },
  {
    what: 'a sale that counts for a journey',
    update: { $set: { 'link.journeyId': 999 } },
    finds: ['conversion-message', /journey none$/, /journey 999$/],
  },
];

describeOn(['mongodb'], 'the audit of conversions in MongoDB', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  beforeEach(async () => {
    await database.mongo.db.dropDatabase();
    await prepareCollections(database.mongo.db);
  });
  const findings = async (): Promise<string[][]> =>
    (await findingsIn(database.mongo, mongodb))
      .filter(({ rule }) => rule.startsWith('conversion'))
      .map(({ rule, expected, found }) => [rule, expected, found]);

  /** A sale that is linked, and one that waits; everything about them has left for the log. */
  const sell = async () => {
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const sender = await createSender(stores);
    const { id: workspaceId } = sender.workspace;
    const mail = await acceptMessage(stores, sender, { facts: { lane: 'campaign', campaignId: 41 } });
    for (const n of [1, 2]) {
      const at = NOW - (3 - n) * MINUTE;
      await stores.signals.store(aSignal(mail.id, { id: `click-${n}`, kind: 'click', at, link: 0 }), workspaceId, []);
    }
    const sales = [
      aConversion(workspaceId, { contactId: sender.contact.id, occurredAt: NOW }),
      aConversion(workspaceId, { messageId: UNKNOWN, occurredAt: NOW }),
    ];
    for (const sale of sales) {
      await stores.conversions.accept(sale);
      await stores.conversions.link(sale.id);
    }
    const conversions = documents(database.mongo.db, 'conversions');
    await eventually(async () => expect(await conversions.countDocuments({ outboxAt: { $exists: true } })).toBe(0));
    const [linked, waiting] = sales.map(({ id }) => id);
    return { linked: present(linked), waiting: present(waiting) };
  };
  const taskOf = (id: string) => documents(database.mongo.db, 'dueTasks').findOne({ _id: `${CONVERSION_WORK}:${id}` });

  it('finds each damage to a link, and nothing once it is undone', async () => {
    const { linked } = await sell();
    const conversions = documents(database.mongo.db, 'conversions');
    const before = present(await conversions.findOne({ _id: linked }));
    expect(await findings()).toEqual([]);
    for (const { what, update, finds } of DAMAGES) {
      await conversions.updateOne({ _id: linked }, update);
      const [rule, expected, found] = finds;
      const seen = await findings();
      expect([what, seen]).toEqual([what, [[rule, expect.stringMatching(expected), expect.stringMatching(found)]]]);
      await conversions.replaceOne({ _id: linked }, before);
    }
    expect(await findings()).toEqual([]);
  });

  it('finds a link that was lost, a sale that waits without due work, and due work of a linked one', async () => {
    const { linked, waiting } = await sell();
    const { db } = database.mongo;
    const [conversions, dueTasks] = [documents(db, 'conversions'), documents(db, 'dueTasks')];
    const task = present(await taskOf(waiting));
    await dueTasks.deleteOne({ _id: task._id });
    expect(await findings()).toEqual([['conversion-work', 'waiting: its due work', 'no due work']]);
    await dueTasks.insertMany([task, { ...task, _id: `${CONVERSION_WORK}:${linked}` }]);
    expect(await findings()).toEqual([['conversion-work', 'linked: no due work', 'its due work']]);
    await conversions.updateOne({ _id: linked }, { $unset: { link: '' } });
    expect(await findings()).toEqual([['conversion-link', expect.stringMatching(/click-2 at/), 'no click']]);
  });

  it('takes a link to the click before a machine, and one that came before the flag, for right', async () => {
    const { linked } = await sell();
    const { db } = database.mongo;
    await documents(db, 'signals').updateOne({ _id: 'click-2' }, { $set: { machine: 'agent' } });
    // A click that is flagged after the sale was linked to it keeps the sale.
    expect(await findings()).toEqual([]);
    const link = { 'link.clickId': 'click-1', 'link.clickedAt': NOW - 2 * MINUTE };
    await documents(db, 'conversions').updateOne({ _id: linked }, { $set: link });
    expect(await findings()).toEqual([]);
  });
});
