import { expect, it } from '@jest/globals';
import { findStrays } from '../../../../operations/audit/audit-installation';
import { engagementRecords } from '../../../../operations/audit/engagement-records';
import { listCounts } from '../../../../operations/audit/list-counts';
import { pendingEntries } from '../../../../operations/audit/message-coins';
import { messageRecords } from '../../../../operations/audit/message-records';
import { checkEngagement } from '../../../../domain/audit/check-engagement';
import { checkListCount } from '../../../../domain/audit/check-lists';
import type { Difference } from '../../../../domain/audit/difference';
import type { MessageRecord } from '../../../../domain/audit/message-record';
import { HOUR } from '../../../../lib/clock';
import { ALL_TIME } from '../../../../domain/engagement/engagement';
import { openMongoAudit } from '../../../../stores/mongodb/audit/audit-source';
import { SCHEMA_VERSION } from '../../../../stores/mongodb/database/collections';
import { documents } from '../../../../stores/mongodb/database/documents';
import { NewerSchemaError, UnavailableError } from '../../../../lib/errors';
import {
  acceptMessage,
  aContact,
  anAcceptance,
  aSignal,
  createSender,
  messageId,
  refundRecord,
} from '../../../support/builders';
import { anAudience } from '../../../support/marketing';
import { describeOn } from '../../../support/real-services';
import { FlakyLog, ownDatabase } from '../support';
import { EMPTY } from './support';

const noPeople = { openedByPeople: 0, clickedByPeople: 0, clicksByPeople: 0 };
const aRow = { contactId: 987_654, hour: 0, opened: 1, clicked: 0, clicks: 0, ...noPeople };

describeOn(['mongodb'], 'the audit of MongoDB', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const open = (log = EMPTY) => openMongoAudit({ url: mongodb, database: database.mongo.db.databaseName }, log);

  it('counts entries as pending while they are in an outbox, of an accept or of a change', async () => {
    const log = new FlakyLog();
    log.mood = 'refuses';
    const { stores } = await database.instance({ publish: log.publish });
    const sender = await createSender(stores);
    const acceptance = anAcceptance(sender);
    const [first, second] = [refundRecord(acceptance.facts, 1), refundRecord(acceptance.facts, 2)];
    await stores.messages.accept([{ ...acceptance, records: [first] }]);
    await stores.messages.change(acceptance.facts.id, () => ({ set: {}, at: 1, records: [second] }));
    const source = await open();
    const pending = await source.snapshotWithLog((rows) => pendingEntries(rows, sender.workspace.id));
    await source.close();
    expect([...pending.values()]).toEqual(expect.arrayContaining([first.value, second.value]));
    expect(pending.size).toBe(2);
  });

  it('sees damage as it is: content of no message, a body that is empty, metadata that cannot be read', async () => {
    const { mongo } = database;
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const sender = await createSender(stores);
    const { facts } = anAcceptance(sender);
    await stores.messages.accept([{ ...anAcceptance(sender), facts }]);
    await documents(mongo.db, 'bodies').updateOne({ _id: facts.id }, { $set: { html: '' } });
    await documents(mongo.db, 'messages').updateOne({ _id: facts.id }, { $set: { metadata: '{"a":' } });
    const [nobody, noOne] = [messageId(), messageId()];
    await documents(mongo.db, 'bodies').insertOne({ _id: nobody, html: 'x', text: null });
    for (const part of ['0000:0000', '0000:0001', '0001:0000']) {
      const content = Buffer.from('x');
      await documents(mongo.db, 'attachments').insertOne({
        _id: `${noOne}:${part}`,
        filename: 'f',
        contentType: 't',
        content,
      });
    }
    const source = await open();
    expect(await source.snapshot((rows) => findStrays(rows, 10))).toEqual([
      { what: 'body', of: nobody },
      { what: 'attachment', of: noOne },
    ]);
    const found = await source.snapshot(async (rows) => {
      const records: MessageRecord[] = [];
      for await (const page of messageRecords(rows, sender.workspace.id)) records.push(...page);
      return records;
    });
    await source.close();
    expect(found).toMatchObject([{ hasBody: false, metadataReadable: false, attachments: 0 }]);
  });

  it('holds the counters of audiences against their members, and members against contacts', async () => {
    const { mongo } = database;
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const { id: workspaceId } = (await createSender(stores)).workspace;
    const { id: audienceId } = await stores.audiences.create(anAudience(workspaceId));
    const join = () => stores.audiences.join(workspaceId, audienceId, { contact: aContact(workspaceId) }, HOUR);
    const joined = [await join(), await join()];
    const findings = async (): Promise<string[]> => {
      const source = await open();
      const found = await source.snapshot(async (rows) => {
        const differences: Difference[] = [];
        for await (const page of listCounts(rows, source.kept, workspaceId)) {
          differences.push(...page.flatMap((count) => checkListCount(workspaceId, count)));
        }
        return differences;
      });
      await source.close();
      return found.map(({ expected, found: is }) => `${expected} / ${is}`);
    };
    expect([joined.map(({ kind }) => kind), await findings()]).toEqual([['joined', 'joined'], []]);
    await documents(mongo.db, 'audiences').updateOne({ _id: audienceId }, { $inc: { contactsCount: 5 } });
    expect(await findings()).toEqual(['2 / 7']);
    await documents(mongo.db, 'listBlocks').updateOne({ list: 'members', owner: audienceId }, { $inc: { n: 1 } });
    expect(await findings()).toEqual(['2 / 3', '2 / 7']);
    await documents(mongo.db, 'members').updateOne({ audienceId }, { $set: { contactId: 987_654 } });
    expect(await findings()).toContain('1 / 7');
  });

  it('holds roll-ups, and what messages note of their last open and click, against the signals', async () => {
    const { mongo } = database;
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const sender = await createSender(stores);
    const [one, two] = [await acceptMessage(stores, sender), await acceptMessage(stores, sender)];
    const workspaceId = sender.workspace.id;
    await stores.signals.store(aSignal(one.id, { kind: 'click', at: HOUR, link: 0 }), workspaceId, []);
    await stores.signals.store(aSignal(two.id, { at: 5 * HOUR }), workspaceId, []);
    const findings = async (): Promise<string[]> => {
      const source = await open();
      const found = await source.snapshot(async (rows) => {
        const differences: Difference[] = [];
        for await (const page of engagementRecords(rows, source.kept, workspaceId))
          differences.push(...page.flatMap(checkEngagement));
        return differences;
      });
      await source.close();
      return found.map(({ subject, expected, found: is }) => `${subject}: ${expected} / ${is}`);
    };
    expect(await findings()).toEqual([]);
    const { id } = sender.contact;
    const rows = documents(mongo.db, 'engagement');
    await rows.updateOne({ _id: `${id}:${ALL_TIME}` }, { $inc: { opened: 3 } });
    await rows.deleteOne({ _id: `${id}:${HOUR}` });
    await rows.insertOne({ ...aRow, _id: '987654:0', workspaceId });
    await documents(mongo.db, 'messages').updateOne({ _id: two.id }, { $unset: { openedAt: '' } });
    const last = 'last at 1970-01-01T05:00:00.000Z';
    expect(await findings()).toEqual([
      `contact ${id} of all time: 2 opened, 1 clicked, 1 clicks, ${last} / 5 opened, 1 clicked, 1 clicks, ${last}, by people 2, 1 and 1`,
      `contact ${id} from 1970-01-01T01:00:00.000Z: 1 opened, 1 clicked, 1 clicks / none`,
      `${two.id}: opened last at 1970-01-01T05:00:00.000Z, clicked at none / none`,
      `${two.id} by people: opened last at 1970-01-01T05:00:00.000Z, clicked at none / none`,
      'contact 987654 from 1970-01-01T00:00:00.000Z: none / 1 opened, 0 clicked, 0 clicks, by people 0, 0 and 0',
    ]);
  });

  it('refuses a database of a newer program, and one that no service has prepared', async () => {
    const meta = documents(database.mongo.db, 'meta');
    await meta.updateOne({ _id: 'schema' }, { $set: { version: SCHEMA_VERSION + 1 } });
    await expect(open()).rejects.toBeInstanceOf(NewerSchemaError);
    await meta.deleteOne({ _id: 'schema' });
    await expect(open()).rejects.toBeInstanceOf(UnavailableError);
  });
});
