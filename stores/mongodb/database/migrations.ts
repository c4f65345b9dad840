import type { Db } from 'mongodb';
import { contactSteps } from '../contacts/contact-batches';
import { documents } from './documents';
import { placeClicks } from '../engagement/place-clicks';
import { rollUpSignals } from '../engagement/roll-up-signals';

/** What brings older documents up to what this program reads, beside collections and indexes that are only missing. */
interface Migration {
  /** The schema version it leads to. */
  to: number;
  /** May run again after a crash, and in several processes at once; in steps that are short each. */
  run(db: Db): Promise<void>;
}

/** In order of their versions; an empty database needs none of them. */
export const MIGRATIONS: readonly Migration[] = [
  { to: 2, run: markUncounted },
  { to: 2, run: rollUpSignals },
  { to: 2, run: placeClicks },
];

/** Documents of one step. */
const STEP = 1_000;

/** Contacts that know nothing of counting are not counted yet; the sweeper counts them. */
async function markUncounted(db: Db): Promise<void> {
  for await (const ids of contactSteps(db, STEP)) {
    await documents(db, 'contacts').updateMany(
      { _id: { $in: ids }, counted: { $exists: false } },
      { $set: { counted: false } },
    );
  }
}
