import { expect, it } from '@jest/globals';
import { documents } from '../../../../stores/mongodb/database/documents';
import { acceptMessage, createSender } from '../../../support/builders';
import { TEST_START as NOW } from '../../../support/clock';
import { describeOn } from '../../../support/real-services';
import { anAttempt, anEvent, aResult, claimOne, register } from '../../../contract/delivery-store/support';
import { FlakyLog, ownDatabase } from '../support';

describeOn(['mongodb'], 'answers of webhooks while their contact is deleted', ({ mongodb }) => {
  const database = ownDatabase(mongodb);
  const log = new FlakyLog();

  async function claimed() {
    const { stores, mongo } = await database.instance(log);
    const { id: messageId, workspaceId, contactId } = await acceptMessage(stores, await createSender(stores));
    const webhook = await register({ stores }, ['open'], workspaceId);
    await stores.deliveries.fanOut(anEvent(workspaceId, { messageId, event: 'open' }), NOW);
    const claim = await claimOne({ stores }, webhook.id);
    return { stores, mongo, messageId, workspaceId, contactId, claim };
  }

  it('cannot be stored by a transaction that saw the contact, not even as the first of their delivery', async () => {
    const { stores, mongo, workspaceId, contactId, claim } = await claimed();
    const session = mongo.client.startSession();
    session.startTransaction({ readConcern: { level: 'snapshot' } });
    try {
      expect(await documents(mongo.db, 'contacts').findOne({ _id: contactId }, { session })).not.toBeNull();
      await stores.contacts.delete(workspaceId, contactId);
      const late = documents(mongo.db, 'webhookDeliveries').updateOne(
        { _id: claim.id },
        { $push: { attempts: anAttempt() } },
        { session },
      );
      await expect(late).rejects.toMatchObject({ code: 112 });
    } finally {
      await session.abortTransaction();
      await session.endSession();
    }
  });

  it('are removed, and the mark of that is not part of the delivery', async () => {
    const { stores, messageId, workspaceId, contactId, claim } = await claimed();
    const [before] = await stores.deliveries.getMany([claim.id]);
    await stores.contacts.delete(workspaceId, contactId);
    expect(await stores.deliveries.getMany([claim.id])).toEqual([before]);
    expect(await stores.deliveries.ofMessage(messageId)).toEqual([before]);
    expect((await stores.deliveries.list(before?.webhookId ?? 0, { offset: 0, limit: 9 })).items).toEqual([before]);
    const result = aResult({ attempts: [anAttempt({ status: 200, error: null, answer: 'ok' })], contactId });
    expect(await stores.deliveries.finish(claim, result)).toBe(true);
    const [left] = await stores.deliveries.getMany([claim.id]);
    expect(left).toMatchObject({ state: 'delivered', attempts: [{ status: 200, answer: null }] });
  });

  it('write nothing to their contact, so that results of one contact in several processes do not conflict', async () => {
    const { stores, mongo, contactId, claim } = await claimed();
    const contact = () => documents(mongo.db, 'contacts').findOne({ _id: contactId });
    const before = await contact();
    await stores.deliveries.finish(claim, aResult({ attempts: [anAttempt()], contactId }));
    expect(await contact()).toEqual(before);
  });
});
