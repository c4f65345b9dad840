import type { ContentSize, Lane } from '../../domain/messages/message';
import { recordTask, type Activity } from '../../lib/activity';
import type { FilledSize } from '../../domain/messages/mail-size';
import { ByteBudget, type ByteHold } from '../../lib/byte-budget';
import { UnavailableError } from '../../lib/errors';
import { Semaphore } from '../../lib/semaphore';
import { LaneSlots } from './lane-slots';

/** Content up to this size is loaded without asking: the number of mails in hand is limit enough. */
export const SMALL_MAIL = 128 * 1024;
/** The signed mail: attachments as base64 in lines, with some room for its head. */
const ATTACHMENT_FACTOR = 1.4;
/** A text as it was stored, as characters and as quoted-printable, which takes three bytes for one. */
const BODY_FACTOR = 8;
/** What a mail with small content may take with its tags filled; above it counts as a large one. */
export const SMALL_ROOM = SMALL_MAIL * BODY_FACTOR;
/** A filled mail, as characters and as bytes. */
const FILLED_FACTOR = 2;

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
   * Resolves once the workspace has so much memory for this mail, bytes, instead of what it had; the slot of the mail
   * is free for others meanwhile. False, at once and with nothing taken, when another record of the same claim waits or
   * is in hand. Rejects with UnavailableError once the program stops.
   */
  enlarge(workspaceId: number, bytes: number): Promise<boolean>;
  /** Runs the work for one large mail at a time: it needs the memory twice for a moment. */
  alone<T>(work: () => Promise<T>): Promise<T>;
  /** The mail is no longer in memory. */
  forget(): void;
  /** Gives back the slot and the memory. A second call does nothing. */
  release(): void;
}

/**
 * The mails in hand of a process, limited by number, and large ones by their bytes, of which each workspace has a share
 * (docs/operations.md#memory). Records wait here and not in the log, so that the lanes have their turns, and small
 * mails pass large ones that wait.
 */
export class MailsInHand {
  private readonly slots: LaneSlots;
  private readonly budget: ByteBudget;
  private readonly composing = new Semaphore(1);
  /**
   * Claims of large mails that wait or are in hand. Their records come again: after a crash, and every two minutes
   * while they wait. A further record would take the memory of another mail, or the turn of small ones.
   */
  private readonly large = new Set<string>();

  constructor(private readonly options: InHandOptions) {
    this.slots = new LaneSlots(options.mails);
    this.budget = new ByteBudget(options.memory);
  }

  /** Takes a slot for a claim; rejects with UnavailableError once the program stops. */
  async take(messageId: string, attempt: number, lane: Lane = 'transactional'): Promise<MailInHand> {
    await this.takeSlot(messageId, lane);
    const claim = `${messageId} ${attempt}`;
    let hasSlot = true;
    let hold: ByteHold | null = null;
    let isFirst = false;
    const forget = (): void => {
      hold?.release();
      hold = null;
    };
    const leaveSlot = (): void => {
      if (hasSlot) this.slots.release(lane);
      hasSlot = false;
    };
    return {
      enlarge: async (workspaceId, bytes) => {
        leaveSlot();
        if (this.large.has(claim) && !isFirst) return false;
        this.large.add(claim);
        isFirst = true;
        forget();
        hold = await this.waiting(messageId, this.budget.acquire(workspaceId, bytes));
        if (!hold) throw stopping();
        await this.takeSlot(messageId, lane);
        hasSlot = true;
        return true;
      },
      alone: (work) => this.alone(work),
      forget,
      release: () => {
        leaveSlot();
        forget();
        if (isFirst) this.large.delete(claim);
        isFirst = false;
      },
    };
  }

  /** Sends all that wait away, and every later one; the mails in hand go on. */
  stop(): void {
    this.budget.close();
    this.slots.close();
  }

  private async takeSlot(messageId: string, lane: Lane): Promise<void> {
    if (this.slots.tryAcquire(lane)) return;
    if (!(await this.waiting(messageId, this.slots.acquire(lane)))) throw stopping();
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

/** The memory for a mail of stored content, bytes. It has room for that mail when its tags do not make it grow. */
export const memoryOf = ({ body, attachments }: ContentSize): number =>
  Math.ceil(body * BODY_FACTOR + attachments * ATTACHMENT_FACTOR);

/** The memory for a mail whose tags make it grow, bytes. */
export const memoryFilled = ({ mail, links }: FilledSize): number => Math.ceil((mail + links) * FILLED_FACTOR);

const stopping = (): UnavailableError => new UnavailableError('The program stops before the hand-off.');
