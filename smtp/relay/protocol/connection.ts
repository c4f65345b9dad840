import type { Socket } from 'node:net';
import type { ByteBudget, ByteHold } from '../../../lib/byte-budget';
import type { Logger } from '../../../lib/logger';
import { sleep } from '../../../lib/sleep';
import type { TimeLimits } from './limits';
import type { Peer, SubmissionPolicy } from './policy';
import { formatReply, GOODBYES, REPLIES } from './reply';
import { Session, type Action } from './session';
import { SocketReader, type Received } from './socket-reader';

export interface ConnectionDeps<L> {
  policy: SubmissionPolicy<L>;
  hostname: string;
  /** For mails that are not small, until they are answered; each account has a share. */
  memory: ByteBudget;
  limits: TimeLimits;
  logger: Pick<Logger, 'warn'>;
}

export interface ConnectionStart {
  peer: Peer;
  secure: boolean;
  /** False behind STARTTLS. */
  greets: boolean;
  /** When the login must have happened, by `performance.now()`. */
  loginBy: number;
}

/** There is no mail without a login. */
const NO_ACCOUNT = 0;
/** Replies to pipelined commands go out together up to so many characters. */
const BATCH = 16 * 1024;
/** For reading on behind the goodbye when the process ends, ms. */
const SHORT_LINGER = 500;
/** One for all: the error that `abort()` makes by itself, with a stack, costs more than the wait it ends. */
const ANSWERED = new Error('the wait was ended');

/** Leads a session over a socket: reads, writes, asks the policy one question at a time, and keeps the time limits. */
export class Connection<L> {
  private readonly session: Session<L>;
  private readonly reader: SocketReader;
  private out = '';
  private hold: ByteHold | null = null;
  /** When the mail that comes in must have ended. */
  private mailBy: number | null = null;
  private stopping = false;
  /** Ends or shortens the current wait for memory, for the policy or for the client to read. */
  private onStop: (() => void) | null = null;

  constructor(
    private readonly socket: Socket,
    private readonly deps: ConnectionDeps<L>,
    private readonly start: ConnectionStart,
  ) {
    this.session = new Session({ hostname: deps.hostname, peer: start.peer, secure: start.secure });
    this.reader = new SocketReader(socket);
  }

  /** Resolves when the connection is closed, or when TLS is to begin on its socket. Never rejects. */
  async run(): Promise<'closed' | 'startTls'> {
    try {
      if (this.start.greets && !(await this.greet())) return 'closed';
      for (;;) {
        if (this.stopping) this.session.end(GOODBYES.stopping);
        const action = this.session.next();
        if (action?.do === 'startTls') return await this.handOver();
        const goesOn = action ? await this.carryOut(action) : await this.receive();
        if (!goesOn) return 'closed';
      }
    } catch (err) {
      this.deps.logger.warn({ err, peer: this.start.peer.address }, 'a connection to the relay failed');
      return 'closed';
    } finally {
      this.hold?.release();
    }
  }

  /**
   * Ends it with 421. A mail that the policy has already is answered first, if that takes no longer than the limit
   * `stop`; one that comes in is dropped.
   */
  stop(): void {
    this.stopping = true;
    this.reader.interrupt();
    this.onStop?.();
  }

  /** The wait before it shows who does not listen (docs/contract.md#relay-connection). */
  private async greet(): Promise<boolean> {
    const early = await this.reader.read(this.deps.limits.beforeGreeting);
    if (early === 'end') return false;
    if (Buffer.isBuffer(early)) this.session.end(REPLIES.earlyTalker);
    else this.session.greet();
    return true;
  }

  /** False when nothing is to follow. */
  private async carryOut(action: Exclude<Action<L>, { do: 'startTls' }>): Promise<boolean> {
    switch (action.do) {
      case 'send':
        this.out += formatReply(action.reply);
        return this.out.length < BATCH || this.flush();
      case 'ask':
        return this.ask(action);
      case 'reserve':
        await this.reserve(action.bytes);
        return true;
      case 'release':
        this.hold?.release();
        this.hold = null;
        this.mailBy = null;
        return true;
      case 'close':
        await this.close();
        return false;
    }
  }

  private async receive(): Promise<boolean> {
    if (!(await this.flush())) return false;
    const { limits } = this.deps;
    const { waitsFor, login } = this.session;
    const isLoggedIn = login !== null;
    const now = performance.now();
    if (waitsFor !== 'command') this.mailBy ??= now + limits.mail;
    const by = this.mailBy ?? (isLoggedIn ? Infinity : this.start.loginBy);
    const longest = { command: limits.command, data: limits.data, 'broken data': limits.brokenData }[waitsFor];
    const received: Received = by <= now ? 'late' : await this.reader.read(Math.min(longest, by - now));
    if (Buffer.isBuffer(received)) this.session.push(received);
    // By which limit was waited for, not by the clock: a timer may fire a moment early.
    else if (received === 'late' && !isLoggedIn && by - now <= longest) this.session.end(GOODBYES.noLogin);
    else if (received === 'late') this.session.timedOut();
    return received !== 'end';
  }

  private async ask({ ask, isMail }: Extract<Action<L>, { do: 'ask' }>): Promise<boolean> {
    if (isMail && !(await this.flush())) return false;
    const asked = ask(this.deps.policy).catch((err: unknown) => {
      this.deps.logger.warn({ err, peer: this.start.peer.address }, 'the relay could not reply; it sent 451');
      this.session.failed();
    });
    const isAnswered = await this.untilStopped(asked.then(() => true));
    if (isAnswered === null && isMail) {
      const waiting = new AbortController();
      await Promise.race([asked, sleep(this.deps.limits.stop, waiting.signal)]);
      waiting.abort(ANSWERED);
    }
    return true;
  }

  /** Meanwhile TCP holds the client back. */
  private async reserve(bytes: number): Promise<void> {
    const { memory, limits, policy } = this.deps;
    const { login } = this.session;
    const from = performance.now();
    const waiting = new AbortController();
    const held = memory.acquire(login ? policy.accountOf(login.value) : NO_ACCOUNT, bytes, {
      timeout: limits.memory,
      signal: waiting.signal,
    });
    const hold = await this.untilStopped(held);
    waiting.abort(ANSWERED);
    this.hold = await held;
    if (this.mailBy !== null) this.mailBy += performance.now() - from;
    if (hold === null) this.session.end(this.stopping ? GOODBYES.stopping : GOODBYES.noMemory);
  }

  /** Null when `stop` comes first. */
  private async untilStopped<T>(work: Promise<T>): Promise<T | null> {
    const stopped = new Promise<null>((resolve) => (this.onStop = () => resolve(null)));
    if (this.stopping) this.onStop?.();
    const result = await Promise.race([work, stopped]);
    this.onStop = null;
    return result;
  }

  /** Sends the replies so far. False when the client is gone, or reads none of them. */
  private async flush(): Promise<boolean> {
    if (this.out === '') return !this.socket.destroyed;
    const { out, socket } = this;
    this.out = '';
    let late: NodeJS.Timeout | undefined;
    const isSent = await new Promise<boolean>((resolve) => {
      const giveUpAfter = (ms: number): void => {
        clearTimeout(late);
        late = setTimeout(() => resolve(false), ms);
      };
      giveUpAfter(this.stopping ? SHORT_LINGER : this.deps.limits.replies);
      this.onStop = () => giveUpAfter(SHORT_LINGER);
      socket.write(out, (error) => resolve(!error));
    });
    clearTimeout(late);
    this.onStop = null;
    if (!isSent) socket.destroy();
    return isSent;
  }

  private async handOver(): Promise<'closed' | 'startTls'> {
    if (!(await this.flush())) return 'closed';
    this.reader.detach();
    return 'startTls';
  }

  /** Reads on for a moment: a socket that is closed with unread bytes is reset, and the last reply lost with it. */
  private async close(): Promise<void> {
    const until = performance.now() + (this.stopping ? SHORT_LINGER : this.deps.limits.linger);
    if (await this.flush()) {
      this.socket.end();
      let received: Received;
      do received = await this.reader.read(Math.max(1, until - performance.now()));
      while (Buffer.isBuffer(received) && performance.now() < until);
    }
    this.socket.destroy();
  }
}
