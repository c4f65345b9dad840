import { MongoServerError, type Db } from 'mongodb';
import { CONVERSION_WORK, LINKED_WITHIN } from '../../../domain/conversions/attribution';
import { documents } from '../database/documents';
import { taskId } from '../queue/schedule-tasks';

/** Documents per step. */
const STEP = 1_000;
const INDEX_NOT_FOUND = 27;

/** Notes the contact of each click from before. */
export async function ownClicks(db: Db): Promise<void> {
  const signals = documents(db, 'signals');
  for (let after = ''; ;) {
    const page = await signals
      .find({ _id: { $gt: after }, kind: 'click', contactId: { $exists: false } }, { projection: { messageId: 1 } })
      .sort({ _id: 1 })
      .limit(STEP)
      .toArray();
    const last = page.at(-1);
    if (!last) return;
    const messages = await documents(db, 'messages')
      .find({ _id: { $in: page.map(({ messageId }) => messageId) } }, { projection: { contactId: 1 } })
      .toArray();
    const owners = new Map(messages.map(({ _id, contactId }) => [_id, contactId]));
    const writes = page.flatMap(({ _id, messageId }) => {
      const contactId = owners.get(messageId);
      return contactId === undefined ? [] : [{ updateOne: { filter: { _id }, update: { $set: { contactId } } } }];
    });
    if (writes.length > 0) await signals.bulkWrite(writes, { ordered: false });
    after = last._id;
  }
}

/** Gives sales from before their due work, which links those that can be linked. */
export async function linkSales(db: Db): Promise<void> {
  await documents(db, 'conversions').dropIndex('conversions_of_contact').catch(unlessMissing);
  for (let after = ''; ;) {
    const page = await documents(db, 'conversions')
      .find(
        { _id: { $gt: after }, link: { $exists: false }, unlinked: { $exists: false } },
        { projection: { workspaceId: 1, receivedAt: 1 } },
      )
      .sort({ _id: 1 })
      .limit(STEP)
      .toArray();
    const last = page.at(-1);
    if (!last) return;
    await documents(db, 'dueTasks').bulkWrite(
      page.map(({ _id: id, workspaceId, receivedAt }) => {
        const dueAt = receivedAt + LINKED_WITHIN;
        const task = { kind: CONVERSION_WORK, workspaceId, lane: '', dueAt, payload: '{}', attempt: 0, readyAt: dueAt };
        const filter = { _id: taskId({ kind: CONVERSION_WORK, id }) };
        return { updateOne: { filter, update: { $setOnInsert: task }, upsert: true } };
      }),
      { ordered: false },
    );
    after = last._id;
  }
}

/** Sales that were linked before belong to the journey of the clicked message. */
export async function journeysOfSales(db: Db): Promise<void> {
  const conversions = documents(db, 'conversions');
  for (let after = ''; ;) {
    const page = await conversions
      .find(
        { _id: { $gt: after }, link: { $exists: true }, 'link.journeyId': { $exists: false } },
        { projection: { 'link.messageId': 1 } },
      )
      .sort({ _id: 1 })
      .limit(STEP)
      .toArray();
    const last = page.at(-1);
    if (!last) return;
    const messages = await documents(db, 'messages')
      .find({ _id: { $in: page.map(({ link }) => link!.messageId) } }, { projection: { journeyId: 1 } })
      .toArray();
    const journeys = new Map(messages.map(({ _id, journeyId }) => [_id, journeyId ?? null]));
    const writes = page.map(({ _id, link }) => {
      const { messageId } = link!;
      const filter = { _id, 'link.messageId': messageId };
      return { updateOne: { filter, update: { $set: { 'link.journeyId': journeys.get(messageId) ?? null } } } };
    });
    await conversions.bulkWrite(writes, { ordered: false });
    after = last._id;
  }
}

function unlessMissing(error: unknown): void {
  if (!(error instanceof MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
}
