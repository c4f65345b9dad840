import type { ContentSize } from '../../domain/message';
import { recordTask, type Activity } from '../../lib/activity';
import { ByteBudget, type ByteHold } from '../../lib/byte-budget';
import { UnavailableError } from '../../lib/errors';
import { Semaphore } from '../../lib/semaphore';

/** Content up to this size is loaded without asking: the number of mails in hand is limit enough. */
export const SMALL_MAIL = 128 * 1024;
/** The signed mail: attachments as base64 in lines, with some room for its head. */
const ATTACHMENT_FACTOR = 1.4;
/** A text as it was stored, as characters and as quoted-printable, which takes three bytes for one. */
const BODY_FACTOR = 8;

export interface InHandOptions {
  /** The most mails in hand at the same time. */
  mails: number;
  /** Memory for large mails, bytes. */
  memory: number;
  activity: Pick<Activity, 'waiting'>;
}

/** A mail that is loaded, composed or handed over. */
export interface MailInHand {
  /**
   * Resolves once the memory is there for content of this size; the place of the mail is free for others meanwhile.
   * False, with nothing taken, when the same claim was in hand and has ended now: look at it again. Rejects with
   * UnavailableError once the program stops.
   */
  enlarge(size: ContentSize): Promise<boolean>;
  /** Runs the work for one large mail at a time: it needs the memory twice for a moment. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** The mail is no longer in memory. */
  forget(): void;
  /** Gives back the place and the memory. A second call does nothing. */
  release(): void;
}

/**
 * The mails in hand of a process, limited by number, and large ones by their bytes (docs/operations.md#memory). Records
 * wait here and not in the log, so that small mails pass large ones that wait.
 */
export class MailsInHand {
  private readonly places: Semaphore;
  private readonly budget: ByteBudget;
  private readonly composing = new Semaphore(1);
  /**
   * Claims of large mails that wait or are in hand, and their ends. After a crash their records are in the log twice, and
   * the second one would take the memory of another mail.
   */
  private readonly large = new Map<string, Promise<void>>();

  constructor(private readonly options: InHandOptions) {
    this.places = new Semaphore(options.mails);
    this.budget = new ByteBudget(options.memory);
  }

  /** Takes a place for a claim; rejects with UnavailableError once the program stops. */
  async take(messageId: string, attempt: number): Promise<MailInHand> {
    await this.takePlace(messageId);
    const claim = `${messageId} ${attempt}`;
    let hasPlace = true;
    let hold: ByteHold | null = null;
    let end: (() => void) | null = null;
    const forget = (): void => {
      hold?.release();
      hold = null;
    };
    const leavePlace = (): void => {
      if (hasPlace) this.places.release();
      hasPlace = false;
    };
    return {
      enlarge: async (size) => {
        leavePlace();
        const first = this.large.get(claim);
        if (first) {
          await this.waiting(messageId, first);
          return false;
        }
        this.large.set(claim, new Promise((resolve) => (end = resolve)));
        hold = await this.waiting(messageId, this.budget.acquire(memoryOf(size)));
        if (!hold) throw stopping();
        await this.takePlace(messageId);
        hasPlace = true;
        return true;
      },
      alone: (work) => this.alone(work),
      forget,
      release: () => {
        leavePlace();
        forget();
        if (!end) return;
        this.large.delete(claim);
        end();
        end = null;
      },
    };
  }

  /** Sends all that wait away, and every later one; the mails in hand go on. */
  stop(): void {
    this.budget.close();
    void this.places.close();
  }

  private async takePlace(messageId: string): Promise<void> {
    if (this.places.tryAcquire()) return;
    if (!(await this.waiting(messageId, this.places.acquire()))) throw stopping();
  }

  /** What waits here waits for another mail, which may wait for the clock. */
  private waiting<T>(messageId: string, wait: Promise<T>): Promise<T> {
    return this.options.activity.waiting(recordTask('dispatch', messageId), wait);
  }

  private async alone<T>(work: () => Promise<T>): Promise<T> {
    await this.composing.acquire();
    try {
      return await work();
    } finally {
      this.composing.release();
    }
  }
}

const memoryOf = ({ body, attachments }: ContentSize): number =>
  Math.ceil(body * BODY_FACTOR + attachments * ATTACHMENT_FACTOR);

const stopping = (): UnavailableError => new UnavailableError('The program stops before the hand-off.');
