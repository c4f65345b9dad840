import { DAY, MINUTE, SECOND } from '../../lib/clock';
import type { LogLine } from './read-log-line';

/** How long after the fence a mail must have been named by, ms. */
export const ABSENCE_WAIT = 5 * MINUTE;
/** Clocks of two hosts may differ, and the time of a hand-off is taken a moment before its line is written. */
const CLOCKS_DIFFER = 5 * SECOND;
/** An smtpd that wrote no end by then has died: longer than any hand-off with Postfix's own time limit. */
const SESSION_LIMIT = 20 * MINUTE;
/**
 * With fewer mails than this under way the queue manager has room (qmgr_message_active_limit, 20,000), and has read its
 * queue.
 */
const FEW_ACTIVE = 100;
/** A log that missed a mail of ours says nothing by its silence for this long. */
const DOUBT = DAY;
/** Numbers of mails that one generation remembers. */
const MAX_TAKEN = 400_000;
const MAX_QUEUE_IDS = 50_000;

/** What the log shows of one hand-off: `unclear` decides nothing. */
export type LogVerdict = 'taken' | 'not_taken' | 'unclear';

/** What was read since a moment. */
interface Generation {
  since: number;
  /** Mails that qmgr took. */
  taken: Set<number>;
  /** The queue ids under which cleanup read a mail that qmgr has not taken. */
  named: Map<number, string[]>;
  /** Queue ids under which cleanup read any mail that is neither queued nor cut. */
  unsettled: Set<string>;
  /** Queue ids whose client went away before the final dot. */
  cut: Set<string>;
  /** Queue ids that were named and not taken when Postfix was started anew. */
  leftBehind: Set<string>;
  /** Minutes in which a mail was opened, by the dates of the lines. */
  minutes: Set<number>;
}

const generation = (since: number): Generation => ({
  since,
  taken: new Set(),
  named: new Map(),
  unsettled: new Set(),
  cut: new Set(),
  leftBehind: new Set(),
  minutes: new Set(),
});

/** The message that a signed return path belongs to, or null. */
export type ReadSender = (sender: string) => string | null;

/**
 * What Postfix's log says about the mails of this installation, and since when all of it was read
 * (docs/architecture.md#the-log-of-postfix). Holds two generations: the older is forgotten when a new one begins.
 */
export class LogEvidence {
  private older: Generation;
  private newer: Generation;
  /** Mails in Postfix's queue: the message by queue id. */
  private readonly queue = new Map<string, string>();
  /** What each smtpd receives. */
  private readonly sessions = new Map<
    string,
    { queueId: string; isNamed: boolean; isQueued: boolean; openedAt: number; isLeft?: true }
  >();
  /** When Postfix was last started, ms; and what its queue manager has taken since, until it was put off or removed. */
  private startedAt = -Infinity;
  private readonly active = new Set<string>();

  /** The date of the last line, ms. */
  private lastAt = -Infinity;
  private countsFrom: number | null;

  constructor(
    private readonly readSender: ReadSender,
    { older, newer, shownFrom = null }: { older: number; newer: number; shownFrom?: number | null },
  ) {
    this.countsFrom = shownFrom;
    this.older = generation(older);
    this.newer = generation(newer);
  }

  /** Everything from here on was read, ms. */
  get completeSince(): number {
    return this.older.since;
  }

  /** Since when the log counts as that of our server, ms: 0 once it named a mail of ours, null before. */
  get shownFrom(): number | null {
    return this.countsFrom;
  }

  /** True when the newer generation is older than `age` (ms) or full. */
  isDue(now: number, age: number): boolean {
    const { since, taken, named } = this.newer;
    return now - since >= age || taken.size + named.size >= MAX_TAKEN;
  }

  /** Begins a generation and forgets the older one. */
  renew(now: number): void {
    this.older = this.newer;
    this.newer = generation(now);
  }

  /** Lines may be missing: nothing before `now` is known any more. */
  restart(now: number): void {
    this.older = generation(now);
    this.newer = generation(now);
    this.sessions.clear();
  }

  /** It does not name a mail that the server took: it lacks lines, or the server is another, or has a twin. */
  doubt(now: number): void {
    this.countsFrom = now + DOUBT;
    this.restart(now);
  }

  /** Takes a line. Returns the message of a delivery that was put off. */
  read(line: LogLine, now: number): { messageId: string; text: string } | null {
    if (line.at !== null) this.lastAt = line.at;
    switch (line.kind) {
      case 'opened':
        this.opened(line, now);
        return null;
      case 'cut':
        this.cut(line.pid);
        return null;
      case 'closed':
        this.sessions.delete(line.pid);
        return null;
      case 'named':
        this.named(line.queueId, line.messageId);
        return null;
      case 'queued':
        this.queued(line.queueId, line.sender);
        return null;
      case 'removed':
        this.active.delete(line.queueId);
        this.queue.delete(line.queueId);
        return null;
      case 'started':
        this.started(Math.min(line.at ?? now, now));
        return null;
      case 'deferred': {
        this.active.delete(line.queueId);
        const messageId = this.queue.get(line.queueId);
        return messageId === undefined ? null : { messageId, text: line.text };
      }
      case 'lines_lost':
        this.restart(now);
        return null;
    }
  }

  /** True when the log names the mail in any way. */
  knows(messageId: string): boolean {
    const key = keyOf(messageId);
    return [this.older, this.newer].some(({ taken, named }) => taken.has(key) || named.has(key));
  }

  /**
   * The outcome of a mail that passed the fence at `fencedAt`. The log was read to its end at `readTo`; both ms. It was
   * not taken when the log was complete since then and never names it, or only under queue ids whose client went away
   * before the final dot, or that a Postfix left behind which was killed. Anything less certain is unclear. A mail with
   * the Message-ID of its caller (`hasOtherName`) is known by its sender only, once it is queued: until then each one
   * under way may be it, and what a killed Postfix left behind, too.
   */
  judge(messageId: string, fencedAt: number, readTo: number, hasOtherName = false): LogVerdict {
    const key = keyOf(messageId);
    const both = [this.older, this.newer];
    if (both.some(({ taken }) => taken.has(key))) return 'taken';
    if (fencedAt - CLOCKS_DIFFER < this.completeSince || readTo < fencedAt + ABSENCE_WAIT) return 'unclear';
    if (!this.isOurs(key, fencedAt) || this.mayBeUnderWay(readTo, hasOtherName)) return 'unclear';
    if (hasOtherName && this.mayBeUnsettled(fencedAt)) return 'unclear';
    const queueIds = both.flatMap(({ named }) => named.get(key) ?? []);
    const isOver = (queueId: string): boolean =>
      both.some(({ cut }) => cut.has(queueId)) || this.isLost(queueId, readTo);
    return queueIds.every(isOver) ? 'not_taken' : 'unclear';
  }

  /** A mail that is not known by its name may be any that was read and not queued, or that a killed Postfix had. */
  private mayBeUnsettled(fencedAt: number): boolean {
    const isOpen = [this.older, this.newer].some(({ unsettled }) => unsettled.size > 0);
    return isOpen || this.startedAt >= fencedAt - CLOCKS_DIFFER;
  }

  /**
   * The log must have shown that it is that of our server, by a mail of ours, and that it was written when this mail
   * was sent: the fence comes after the line of a session, so without one the log ended, or is late.
   */
  private isOurs(key: number, fencedAt: number): boolean {
    const both = [this.older, this.newer];
    const isShown = this.countsFrom === null ? both.some(({ named }) => named.has(key)) : fencedAt >= this.countsFrom;
    if (!isShown || this.lastAt < fencedAt - SECOND) return false;
    const minute = Math.floor(fencedAt / MINUTE);
    const sent = [minute - 1, minute, minute + 1];
    return both.some(({ minutes }) => sent.some((one) => minutes.has(one)));
  }

  /** A mail that is still being received has no name yet: it may be any. */
  private mayBeUnderWay(now: number, hasOtherName: boolean): boolean {
    for (const [pid, { isNamed, isQueued, openedAt, isLeft }] of this.sessions) {
      const isDead = isLeft && this.isSettledSinceStart(now);
      if (isDead || now - openedAt > SESSION_LIMIT) this.sessions.delete(pid);
      else if (!(hasOtherName ? isQueued : isNamed)) return true;
    }
    return false;
  }

  /**
   * True when what a Postfix that died was doing is over: an smtpd that outlived its master has no client any more, or
   * gives it up in five minutes.
   */
  private isSettledSinceStart(now: number): boolean {
    return now - this.startedAt >= ABSENCE_WAIT;
  }

  /** The queue manager reads its whole queue at the start: what it has not taken by then was not complete. */
  private isLost(queueId: string, now: number): boolean {
    const isLeft = this.older.leftBehind.has(queueId) || this.newer.leftBehind.has(queueId);
    return isLeft && this.isSettledSinceStart(now) && this.active.size < FEW_ACTIVE;
  }

  /** Notes what the processes of the run before leave behind. */
  private started(at: number): void {
    this.startedAt = at;
    this.active.clear();
    for (const session of this.sessions.values()) session.isLeft = true;
    for (const { named } of [this.older, this.newer]) {
      for (const queueIds of named.values()) for (const queueId of queueIds) this.newer.leftBehind.add(queueId);
    }
  }

  private opened({ pid, queueId, at }: LogLine & { kind: 'opened' }, now: number): void {
    if (at !== null) this.newer.minutes.add(Math.floor(at / MINUTE));
    // A queue id may be used again.
    for (const { cut, leftBehind } of [this.older, this.newer]) {
      cut.delete(queueId);
      leftBehind.delete(queueId);
    }
    this.sessions.set(pid, { queueId, isNamed: false, isQueued: false, openedAt: Math.min(at ?? now, now) });
  }

  private cut(pid: string): void {
    const session = this.sessions.get(pid);
    if (session) this.newer.cut.add(session.queueId);
    if (session) this.settle(session.queueId);
    this.sessions.delete(pid);
  }

  private named(queueId: string, text: string): void {
    const { older, newer } = this;
    const isSettled = this.active.has(queueId) || older.cut.has(queueId) || newer.cut.has(queueId);
    if (!isSettled && newer.unsettled.size < MAX_QUEUE_IDS) newer.unsettled.add(queueId);
    const messageId = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=@)/i.exec(text)?.[0];
    // Under a changed Message-ID it may be any mail until it is queued.
    if (messageId === undefined) return;
    this.hasName(queueId);
    const key = keyOf(messageId);
    const known = this.newer.named.get(key) ?? [];
    if (!known.includes(queueId)) this.newer.named.set(key, [...known, queueId]);
  }

  private settle(queueId: string): void {
    for (const { unsettled } of [this.older, this.newer]) unsettled.delete(queueId);
  }

  private hasName(queueId: string, isQueued = false): void {
    for (const session of this.sessions.values()) {
      if (session.queueId !== queueId) continue;
      session.isNamed = true;
      session.isQueued ||= isQueued;
    }
  }

  private queued(queueId: string, sender: string): void {
    this.hasName(queueId, true);
    this.settle(queueId);
    if (this.active.size < MAX_QUEUE_IDS) this.active.add(queueId);
    const messageId = this.readSender(sender);
    if (messageId === null) {
      this.queue.delete(queueId);
      return;
    }
    const key = keyOf(messageId);
    this.newer.taken.add(key);
    this.countsFrom ??= 0;
    for (const { named } of [this.older, this.newer]) named.delete(key);
    this.queue.set(queueId, messageId);
    if (this.queue.size > MAX_QUEUE_IDS) for (const [oldest] of this.queue) return void this.queue.delete(oldest);
  }
}

/**
 * A number for a message: 52 of the random bits of its id. Two with one number do no harm: the one that was not taken
 * then counts as taken, and waits for its report.
 */
const keyOf = (messageId: string): number => parseInt(messageId.slice(-13), 16);
