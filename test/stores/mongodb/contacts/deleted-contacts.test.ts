import { expect, it } from '@jest/globals';
import { finishAnonymising } from '../../../../stores/mongodb/contacts/anonymise';
import { documents } from '../../../../stores/mongodb/database/documents';
import { acceptMessage, createSender } from '../../../support/builders';
import { TEST_START } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { FlakyLog, ownDatabase } from '../support';

describeOn(['mongodb'], 'a deletion of a contact that a crash cut short', ({ mongodb }) => {
  const database = ownDatabase(mongodb);

  it('is finished later: every message is anonymised, under a new version, and it is done once', async () => {
    const { mongo } = database;
    const { stores } = await database.instance({ publish: new FlakyLog().publish });
    const parts = { mongo, outbox: { enqueue: () => undefined }, now: () => TEST_START };
    const sender = await createSender(stores);
    const messages = [await acceptMessage(stores, sender), await acceptMessage(stores, sender)];
    const { id, workspaceId, email, emailHash, name } = sender.contact;
    // What the first commit of a deletion leaves behind.
    await documents(mongo.db, 'contacts').deleteOne({ _id: id });
    await documents(mongo.db, 'anonymising').insertOne({ _id: id, workspaceId, email, emailHash, name });
    expect(await finishAnonymising(parts, 10)).toBe(1);
    for (const { id: messageId, version } of messages) {
      expect(await stores.messages.get(messageId)).toMatchObject({ to: null, toText: null, version: version + 1 });
    }
    expect(await finishAnonymising(parts, 10)).toBe(0);
  });
});
