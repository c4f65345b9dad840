import type { Db } from 'mongodb';
import { NEW_RUN } from '../../../domain/campaign-run';
import { contactSteps } from '../contacts/contact-batches';
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
];

/** Documents per step. */
const STEP = 1_000;

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

/** Campaigns from before were never started. */
async function addRuns(db: Db): Promise<void> {
  await documents(db, 'campaigns').updateMany(
    { run: { $exists: false } },
    { $set: { cancelledAt: null, pauseReason: null, scheduleError: null, run: { ...NEW_RUN, marks: [] } } },
  );
}
