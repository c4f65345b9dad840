/** The end of an attempt from our side. The message is the sentence for the owner of the webhook. */
export class AttemptEnded extends Error {
  override readonly name = 'AttemptEnded';
}

export interface TimeLimits {
  /** For finding and reaching the endpoint, ms. */
  connect: number;
  /** For all of it, ms. */
  whole: number;
}

/** One for all: an error of its own for every attempt would cost a stack trace each. */
const OVER = new AttemptEnded('The attempt is over.');

type Listener = (ended: AttemptEnded) => void;

/**
 * The time limits of one attempt, in real time, and the signal that ends it. It has one listener at a time, since only
 * one step of an attempt waits at once.
 */
export class AttemptLimits {
  private ended: AttemptEnded | null = null;
  private listener: Listener | null = null;
  private readonly whole: NodeJS.Timeout;
  private readonly connectEnd: number;
  private connecting: NodeJS.Timeout | null;

  constructor(
    limits: TimeLimits,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.whole = this.timer(limits.whole, `The endpoint did not respond within ${inSeconds(limits.whole)}.`);
    this.connectEnd = performance.now() + limits.connect;
    this.connecting = this.timer(
      limits.connect,
      `The endpoint could not be reached within ${inSeconds(limits.connect)}.`,
    );
    if (signal?.aborted) this.stop();
    else signal?.addEventListener('abort', this.stop);
  }

  /** Throws when the attempt has ended. */
  check(): void {
    if (this.ended) throw this.ended;
  }

  /** Sets what runs at the end, replacing the previous listener. Runs at once if the attempt has ended already. */
  onEnd(listener: Listener | null): void {
    this.listener = listener;
    if (this.ended) listener?.(this.ended);
  }

  /** Settles with the work, or rejects with AttemptEnded; the work then continues and its result is ignored. */
  race<T>(work: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      this.onEnd(reject);
      work.then(resolve, reject).finally(() => this.listener === reject && this.onEnd(null));
    });
  }

  /** What is left for connecting, ms. */
  get connectTime(): number {
    return Math.max(0, this.connectEnd - performance.now());
  }

  /** A connection is there: only the whole is limited from now on. */
  connected(): void {
    if (this.connecting) clearTimeout(this.connecting);
    this.connecting = null;
  }

  readonly stop = (): void => this.end('The attempt was stopped.');

  /** Call when the attempt is over, however it went. */
  clear(): void {
    clearTimeout(this.whole);
    this.connected();
    this.signal?.removeEventListener('abort', this.stop);
    this.listener = null;
    this.ended ??= OVER;
  }

  /** What arrived while this process was busy still counts: pending input is read before the limit applies. */
  private timer(ms: number, sentence: string): NodeJS.Timeout {
    const timer = setTimeout(
      () =>
        setImmediate(() => {
          if (timer === this.whole || timer === this.connecting) this.end(sentence);
        }),
      ms,
    );
    return timer;
  }

  private end(sentence: string): void {
    if (this.ended) return;
    this.ended = new AttemptEnded(sentence);
    this.listener?.(this.ended);
  }
}

const inSeconds = (ms: number): string => `${ms / 1_000} seconds`;
