import { MongoServerError, type Db } from 'mongodb';
import { NEW_RUN } from '../../../domain/campaigns/campaign-run';
import { contactSteps } from '../contacts/contact-batches';
import { fullMinute, STEP_WORK } from '../../../domain/journeys/enrollment';
import { mailsOf } from '../../shared/journey-tasks';
import { mailId, versionId } from '../journeys/enrollment-fields';
import { journeysOfSales, linkSales, ownClicks } from '../conversions/migrate-sales';
import { documents } from './documents';
import { placeClicks } from '../engagement/place-clicks';
import { rollUpSignals } from '../engagement/roll-up-signals';

/** Upgrades older documents to what this program reads. Missing collections and indexes are handled separately. */
interface Migration {
  /** The schema version after it. */
  to: number;
  /** May run again after a crash, and in several processes at once. Works in short steps. */
  run(db: Db): Promise<void>;
}

/** In order of their versions. An empty database needs none of them. */
export const MIGRATIONS: readonly Migration[] = [
  { to: 2, run: markUncounted },
  { to: 2, run: rollUpSignals },
  { to: 2, run: placeClicks },
  { to: 4, run: enableWebhooks },
  { to: 6, run: addRuns },
  { to: 7, run: firstVersions },
  { to: 7, run: startEnrollments },
  { to: 8, run: countPeople },
  { to: 9, run: addRedirectHosts },
  { to: 10, run: markHard },
  { to: 11, run: ownClicks },
  { to: 11, run: linkSales },
  { to: 13, run: journeysOfSales },
  { to: 15, run: dropReplaced },
];

/** Documents per step. */
const STEP = 1_000;
const INDEX_NOT_FOUND = 27;

/** Marks contacts from before counting as not counted yet. The sweeper counts them. */
async function markUncounted(db: Db): Promise<void> {
  for await (const ids of contactSteps(db, STEP)) {
    await documents(db, 'contacts').updateMany(
      { _id: { $in: ids }, counted: { $exists: false } },
      { $set: { counted: false } },
    );
  }
}

/** Webhooks from before have been enabled since they were created. */
async function enableWebhooks(db: Db): Promise<void> {
  await documents(db, 'webhooks').updateMany({ enabledAt: { $exists: false } }, [
    { $set: { enabledAt: '$createdAt', lastSuccessAt: null, failures: 0 } },
  ]);
}

/** Every bounce from before classes was a hard one; its time ends the history. */
async function markHard(db: Db): Promise<void> {
  await documents(db, 'messages').updateMany({ status: 'bounced', hardBouncedAt: { $exists: false } }, [
    { $set: { hardBouncedAt: { $arrayElemAt: ['$history.at', -1] } } },
  ]);
}

/** Campaigns from before were never started. */
async function addRuns(db: Db): Promise<void> {
  await documents(db, 'campaigns').updateMany(
    { run: { $exists: false } },
    { $set: { cancelledAt: null, pauseReason: null, scheduleError: null, run: { ...NEW_RUN, marks: [] } } },
  );
}

/** Journeys from before are their own first version. */
async function firstVersions(db: Db): Promise<void> {
  const journeys = await documents(db, 'journeys').find().toArray();
  for (const { _id: journeyId, steps, goal, createdAt } of journeys) {
    const version = { journeyId, version: 1, steps, goal, createdAt };
    await put(db, 'journeyVersions', versionId(journeyId, 1), version);
    for (const { step, html, text } of mailsOf(version)) {
      await put(db, 'journeyMails', mailId(journeyId, 1, step), { html, text });
    }
    await documents(db, 'journeys').updateOne(
      { _id: journeyId, version: { $exists: false } },
      { $set: { version: 1 } },
    );
  }
}

const put = (db: Db, name: 'journeyVersions' | 'journeyMails', _id: string, fields: object): Promise<unknown> =>
  db.collection<{ _id: string }>(name).updateOne({ _id }, { $setOnInsert: fields }, { upsert: true });

/** Contacts that were enrolled before are at their first step, which is due. */
async function startEnrollments(db: Db): Promise<void> {
  const enrollments = documents(db, 'enrollments');
  for (;;) {
    const old = await enrollments
      .find({ status: { $exists: false } })
      .limit(STEP)
      .toArray();
    if (old.length === 0) return;
    await documents(db, 'dueTasks').bulkWrite(
      old.map(({ _id, workspaceId, journeyId, enrolledAt }) => ({
        updateOne: {
          filter: { _id: `${STEP_WORK}:${_id}` },
          update: {
            $setOnInsert: {
              kind: STEP_WORK,
              workspaceId,
              lane: `journey:${journeyId}`,
              dueAt: fullMinute(enrolledAt),
              payload: '{}',
              attempt: 0,
              readyAt: fullMinute(enrolledAt),
            },
          },
          upsert: true,
        },
      })),
      { ordered: false },
    );
    await enrollments.bulkWrite(
      old.map(({ _id, enrolledAt }) => ({
        updateOne: {
          filter: { _id },
          update: {
            $set: {
              version: 1,
              status: 'active' as const,
              reason: null,
              step: 1,
              since: enrolledAt,
              dueAt: fullMinute(enrolledAt),
              goalAt: null,
              endedAt: null,
            },
            $unset: { goalReached: '' },
          },
        },
      })),
      { ordered: false },
    );
  }
}

/** Until now nothing was flagged, so the counts of people are those of all. */
async function countPeople(db: Db): Promise<void> {
  await documents(db, 'engagement').updateMany({ openedByPeople: { $exists: false } }, [
    { $set: { openedByPeople: '$opened', clickedByPeople: '$clicked', clicksByPeople: '$clicks' } },
  ]);
  await documents(db, 'campaignTallies').updateMany({ opensByPeople: { $exists: false } }, [
    { $set: { opensByPeople: '$opens', clicksByPeople: '$clicks' } },
  ]);
  await documents(db, 'messages').updateMany({ openedAt: { $exists: true }, openedByPeopleAt: { $exists: false } }, [
    { $set: { openedByPeopleAt: '$openedAt', clickedByPeopleAt: { $ifNull: ['$clickedAt', null] } } },
  ]);
}

/** Indexes of messages that longer ones replace. Already gone where another process was faster. */
async function dropReplaced(db: Db): Promise<void> {
  const messages = documents(db, 'messages');
  const there = await messages.indexes();
  for (const name of ['messages_by_status', 'messages_of_contact']) {
    if (!there.some((index) => index.name === name)) continue;
    await messages.dropIndex(name).catch((error: unknown) => {
      if (!(error instanceof MongoServerError) || error.code !== INDEX_NOT_FOUND) throw error;
    });
  }
}

/** Audiences from before redirect nowhere. */
async function addRedirectHosts(db: Db): Promise<void> {
  await documents(db, 'audiences').updateMany({ redirectHosts: { $exists: false } }, { $set: { redirectHosts: [] } });
}
