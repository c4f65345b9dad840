import { MAIL_CLASSES, type MailClass } from '../../domain/destinations/pace';
import { Backoff } from '../../lib/backoff';
import { HandOffWindow, type Counted } from './hand-off-window';

/** An estimate without a new count is good for this long, ms of real time: other processes claim too. */
const GOOD_FOR = 1_000;
/** Waits between counts of a full backlog, ms of real time. They grow while nothing leaves it. */
const FULL_WAIT = { first: 50, longest: 1_000 };
/** Claims in one turn: of a small window, half of it at a time. */
const TURN = { most: 50, least: 10 };

/** Places or messages of each class. */
export type ByClass = Record<MailClass, number>;

type Wanted = Readonly<Record<MailClass, boolean>>;

/** What is claimed and not yet handed over, over all processes, as of one moment. */
export interface BacklogCount extends Omit<Counted, 'waiting'> {
  waiting: ByClass;
}

const sumOf = ({ transactional, bulk }: ByClass): number => transactional + bulk;

/**
 * The messages that are claimed and not yet being sent, over all processes: counted now and then, and estimated in
 * between as the last count and what this process has claimed since. So they are never taken for less than they are.
 * Transactional mail and bulk mail have a window each, so that neither is kept from its turns by what the other has
 * claimed.
 */
export class Backlog {
  private known: ByClass = { transactional: Infinity, bulk: Infinity };
  private readonly reserved: ByClass = { transactional: 0, bulk: 0 };
  private countedAt = -Infinity;
  private nextCount = 0;
  private readonly wait = new Backoff(FULL_WAIT);
  private readonly window: HandOffWindow;

  /**
   * @param most The most messages of a class now.
   * @param connections To the sending server, over all processes, now.
   */
  constructor(
    most: () => number,
    connections: () => number,
    private readonly count: () => Promise<BacklogCount>,
  ) {
    this.window = new HandOffWindow(most, connections);
  }

  /** The places of a turn in each class that is wanted and has room; zero in the others. */
  async room(wanted: Wanted): Promise<ByClass> {
    const isOld = performance.now() - this.countedAt >= GOOD_FOR;
    if (isOld || this.isFull(wanted)) await this.recount(wanted);
    if (this.isFull(wanted)) this.window.usedUp();
    const placesOf = (mails: MailClass): number => (wanted[mails] && this.left(mails) >= this.places ? this.places : 0);
    return { transactional: placesOf('transactional'), bulk: placesOf('bulk') };
  }

  /** Takes places for claims; `release` gives them back. */
  reserve(places: ByClass): void {
    for (const mails of MAIL_CLASSES) this.reserved[mails] += places[mails];
  }

  /** Ends a reservation, of which this many were used. */
  release(places: ByClass, used: ByClass): void {
    for (const mails of MAIL_CLASSES) {
      this.reserved[mails] -= places[mails];
      this.known[mails] += used[mails];
    }
  }

  /** Whether one of the classes has room now, by a new count. */
  async hasRoom(wanted: Wanted): Promise<boolean> {
    const { waiting } = await this.count();
    return MAIL_CLASSES.some((mails) => wanted[mails] && this.window.size - waiting[mails] >= this.places);
  }

  /** Real time until the next count is due, ms. */
  get nextCountIn(): number {
    return Math.max(1, this.nextCount - performance.now());
  }

  /** Small claims would cost a commit each, so a whole turn must fit. */
  private get places(): number {
    return Math.max(TURN.least, Math.min(TURN.most, Math.floor(this.window.size / 2)));
  }

  private left(mails: MailClass): number {
    return this.window.size - this.known[mails] - this.reserved[mails];
  }

  private isFull(wanted: Wanted): boolean {
    return MAIL_CLASSES.some((mails) => wanted[mails] && this.left(mails) < this.places);
  }

  private async recount(wanted: Wanted): Promise<void> {
    if (performance.now() < this.nextCount) return;
    const before = sumOf(this.known);
    const reserved = { ...this.reserved };
    const { waiting, ...counted } = await this.count();
    this.countedAt = performance.now();
    for (const mails of MAIL_CLASSES) {
      // What was claimed during the count may be in it, and is no longer reserved.
      this.known[mails] = waiting[mails] + Math.max(0, reserved[mails] - this.reserved[mails]);
    }
    this.window.note({ ...counted, waiting: sumOf(waiting) }, this.countedAt);
    const isFull = this.isFull(wanted);
    if (!isFull || sumOf(this.known) !== before) this.wait.reset();
    this.nextCount = isFull ? this.countedAt + this.wait.next() : 0;
  }
}
