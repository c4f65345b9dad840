import type { PeopleChange } from '../../../domain/engagement/engagement';
import type { Signal } from '../../../domain/engagement/signal';
import type { Database } from '../database/database';
import { tallyForCampaign } from './campaign-tallies';
import { noteOpened } from './opened-messages';
import { rollUpSignal, type CountedMail } from './roll-ups';

/**
 * Counts a signal that the same transaction has just stored for the first time, and the change of the counts of people,
 * for the contact, the campaign and the hour of the message. `signal` is null when only flags changed. Signals of a
 * deleted contact are not counted.
 */
export function countSignal(db: Database, mail: CountedMail, signal: Signal | null, people: PeopleChange): void {
  rollUpSignal(db, mail, signal, people);
  tallyForCampaign(db, mail.messageId, signal, people);
  noteOpened(db, mail, signal, people);
}
