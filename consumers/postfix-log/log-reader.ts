import { MINUTE, SECOND, type Clock } from '../../lib/clock';
import type { Logger } from '../../lib/logger';
import { builtInRules, type BounceRules } from '../../domain/bounces/bounce-rules';
import type { Keyring } from '../../domain/keyring';
import { maskAddresses } from '../../domain/addresses/mask-addresses';
import { readVerpLocalPart } from '../../domain/messages/message-tokens';
import { LogEvidence } from '../../domain/postfix/log-evidence';
import { readLogLine } from '../../domain/postfix/read-log-line';
import type { Stores } from '../../stores/ports';
import type { EventLog } from '../../streams/event-log';
import type { OutgoingRecord } from '../../streams/records';
import { LogFiles } from './log-files';
import type { LogPosition } from './log-position';
import { readProgress, saveProgress, type Checkpoint } from './log-progress';

/** How far apart checkpoints are: a start reads this much and less than twice as much again. */
const CHECKPOINT_EVERY = 15 * MINUTE;
const SAVE_EVERY = 2 * SECOND;
const MAX_TEXT = 500;

export interface LogReaderDeps {
  path: string;
  /** The name of the log among all that are followed. */
  place: string;
  stores: Pick<Stores, 'settings'>;
  log: Pick<EventLog, 'publish'>;
  keyring: Keyring;
  clock: Clock;
  rules?: BounceRules;
  logger: Pick<Logger, 'info' | 'warn'>;
  /** Default: on real files. */
  files?: LogFiles;
}

/** What one read found. */
export interface LogRead {
  /** There may be more to read at once. */
  more: boolean;
  /** When the log was read to its end, ms; null when it was not. */
  readTo: number | null;
}

/**
 * Reads Postfix's log: passes deferrals on as reports and gathers what it shows of each mail. Where it stands is stored
 * after what it read was passed on, so a crash repeats some of it and skips nothing.
 */
export class LogReader {
  private readonly files: LogFiles;
  private readonly lastTexts = new Map<string, string>();
  private checkpoints: { older: Checkpoint; newer: Checkpoint } | null = null;
  /** Up to here deferrals were passed on by an earlier run. */
  private doneBefore: LogPosition | null = null;
  private savedAt = -Infinity;
  private saved = '';
  private found: LogEvidence | null = null;
  private noted = 0;

  constructor(private readonly deps: LogReaderDeps) {
    this.files = deps.files ?? new LogFiles(deps.path);
  }

  /** What the log shows; null before there is a log. */
  get evidence(): LogEvidence | null {
    return this.found;
  }

  /** False while the file is not there. */
  get hasFile(): boolean {
    return this.files.position !== null;
  }

  /** How many gaps there were. */
  get gaps(): number {
    return this.noted;
  }

  /** Reads the next lines. Rejects when the file cannot be read, or the store or the event log fails. */
  async readNext(): Promise<LogRead> {
    if (!this.found && !(await this.open())) return { more: false, readTo: null };
    const evidence = this.found as LogEvidence;
    const now = this.deps.clock.now();
    const { lines, gap, atEnd } = await this.files.read(this.doneBefore);
    if (gap !== null) this.noteGap(gap);
    const isRepeat = this.isRepeat(atEnd);
    const records = lines.flatMap((line) => this.take(line, evidence, now));
    if (!isRepeat && records.length > 0) await this.deps.log.publish(records);
    await this.advance();
    return { more: lines.length > 0, readTo: atEnd ? now : null };
  }

  /** Lines are missing, or may be: what is not named from here on says nothing about earlier mails. */
  noteGap(reason: string): void {
    const { clock, logger, path } = this.deps;
    logger.warn(
      { path, reason },
      'the log of the sending server has a gap: earlier messages wait for their delivery reports',
    );
    this.noted += 1;
    this.found?.restart(clock.now());
    if (this.checkpoints) this.checkpoints = this.checkpointsHere(this.checkpoints.newer.position);
    this.saved = '';
  }

  /** The log does not name this mail, which the server took. */
  noteMissing(messageId: string): void {
    this.noteGap(`it does not mention ${messageId}, which the server accepted`);
    this.found?.doubt(this.deps.clock.now());
  }

  async close(): Promise<void> {
    await this.files.close();
  }

  private async open(): Promise<boolean> {
    const { stores, place, keyring, clock, logger, path } = this.deps;
    const progress = await readProgress(stores.settings, place);
    const readSender = (sender: string): string | null =>
      sender.startsWith('b-') ? readVerpLocalPart(keyring, sender.slice(0, sender.lastIndexOf('@'))) : null;
    if (!progress) {
      if (!(await this.files.openAtEnd())) return false;
      const now = clock.now();
      this.found = new LogEvidence(readSender, { older: now, newer: now });
      this.checkpoints = this.checkpointsHere(this.files.position as LogPosition);
      logger.info({ path }, 'following the log of the sending server');
      return true;
    }
    const { older, newer, done, shownFrom } = progress;
    this.found = new LogEvidence(readSender, { older: older.at, newer: newer.at, shownFrom });
    this.checkpoints = { older, newer };
    this.doneBefore = done;
    const isThere = await this.files.openAt(older.position);
    if (!isThere) this.doneBefore = null;
    if (!isThere) this.noteGap('the file that was read last no longer exists');
    logger.info({ path, since: older.at }, 'following the log of the sending server');
    return true;
  }

  private checkpointsHere(fallback: LogPosition): { older: Checkpoint; newer: Checkpoint } {
    const here = { at: this.deps.clock.now(), position: this.files.position ?? fallback };
    return { older: here, newer: here };
  }

  /** True while what is read was passed on before. */
  private isRepeat(atEnd: boolean): boolean {
    const [done, position] = [this.doneBefore, this.files.position];
    if (!done) return false;
    if (position?.file === done.file && position.offset <= done.offset) return true;
    const isPast = atEnd || position?.file === done.file;
    if (isPast) this.doneBefore = null;
    return !isPast;
  }

  private take(line: string, evidence: LogEvidence, now: number): OutgoingRecord[] {
    const read = readLogLine(line, now);
    if (!read) return [];
    if (read.kind === 'lines_lost') this.noteGap('the logger dropped lines');
    const deferral = evidence.read(read, now);
    if (!deferral) return [];
    const text = maskAddresses(deferral.text.replace(/[\p{Cc}\s]+/gu, ' ').slice(0, MAX_TEXT));
    return this.isNews(deferral.messageId, text) ? [this.report(deferral.messageId, text, now)] : [];
  }

  /** Postfix says the same at each try. */
  private isNews(messageId: string, text: string): boolean {
    if (this.lastTexts.get(messageId) === text) return false;
    this.lastTexts.delete(messageId);
    this.lastTexts.set(messageId, text);
    if (this.lastTexts.size > 10_000) for (const [oldest] of this.lastTexts) return this.lastTexts.delete(oldest);
    return true;
  }

  private report(messageId: string, text: string, at: number): OutgoingRecord {
    const { class: found } = (this.deps.rules ?? builtInRules).classify(text);
    const feedback = { kind: 'delayed', trusted: true, text, class: found, hard: false, at } as const;
    return { topic: 'mta.feedback', key: messageId, value: { messageId, feedback } };
  }

  /** Stores where it stands, at most every two seconds. */
  private async advance(): Promise<void> {
    const { position } = this.files;
    if (!position || !this.checkpoints) return;
    // After the read, so that what is written from now on lies behind the position.
    const now = this.deps.clock.now();
    if (this.found?.isDue(now, CHECKPOINT_EVERY)) {
      this.found.renew(now);
      this.checkpoints = { older: this.checkpoints.newer, newer: { at: now, position } };
    }
    const done = this.doneBefore ?? position;
    const shownFrom = this.found?.shownFrom ?? null;
    const state = JSON.stringify([this.checkpoints, done, shownFrom]);
    if (state === this.saved || Math.abs(now - this.savedAt) < SAVE_EVERY) return;
    const progress = { ...this.checkpoints, done, savedAt: now, shownFrom };
    await saveProgress(this.deps.stores.settings, this.deps.place, progress);
    this.saved = state;
    this.savedAt = now;
  }
}
