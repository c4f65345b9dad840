import { availableParallelism } from 'node:os';
import { makerInPlace, type MailMaker } from '../email/making/make-mail';
import { MailThreads } from '../email/making/mail-threads';

/** One of them makes some 2,500 mails a second; the store and the dialogues of the rest take more than that. */
const MOST = 4;

/** Threads for all processors but the one that the rest of the program keeps busy; in place without the program of a thread. */
export function openMailMaker(program: string | null): MailMaker {
  if (program === null) return makerInPlace;
  return new MailThreads(program, Math.min(MOST, Math.max(1, availableParallelism() - 1)));
}
