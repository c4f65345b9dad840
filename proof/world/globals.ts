import crypto from 'node:crypto';
import timers from 'node:timers';
import timersPromises from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Random } from './random';
import { replaced } from './replaced';
import type { Happening, Owner, Schedule } from './schedule';

/** What the machine really has; the world itself uses these. */
export const REAL = {
  setImmediate: globalThis.setImmediate,
  clearInterval: globalThis.clearInterval,
  now: performance.now.bind(performance),
};

/** What of the world the globals of the thread stand for, while one is entered. */
interface Stage {
  schedule: Schedule;
  entry: Random;
}

/** A timer of the world, with what programs use of Node's. */
class WorldTimer {
  private happening: Happening | null = null;

  constructor(
    private readonly schedule: Schedule,
    private readonly owner: Owner,
    private readonly ms: number,
    private readonly repeats: boolean,
    private readonly call: () => void,
  ) {
    this.refresh();
  }

  refresh(): this {
    this.close();
    if (!this.owner.alive) return this;
    this.happening = this.schedule.after(
      this.ms,
      'timer',
      () => {
        this.happening = null;
        if (this.repeats) this.refresh();
        this.call();
      },
      this.owner,
    );
    return this;
  }

  close(): this {
    if (this.happening) this.happening.run = null;
    this.happening = null;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }
}

type Calls = (...args: unknown[]) => void;

/**
 * Lets this thread live in the world: clocks, timers, turns of the event loop and random numbers are the world's, for
 * Kurir as for the libraries it uses. Returns what leaves the world again.
 */
export function enter({ schedule, entry }: Stage): () => void {
  const undo: (() => void)[] = [];
  const replace = (target: object, name: string, value: unknown): void =>
    void undo.push(replaced(target, name, { value, enumerable: true }));
  for (const [name, value] of Object.entries(timersOf(schedule))) {
    replace(globalThis, name, value);
    replace(timers, name, value);
  }
  replace(performance, 'now', () => schedule.now);
  replace(
    timersPromises,
    'setImmediate',
    (value?: unknown) => new Promise((resolve) => schedule.turn('turn', () => resolve(value))),
  );
  replace(
    timersPromises,
    'setTimeout',
    (ms = 1, value?: unknown) => new Promise((resolve) => schedule.after(ms, 'timer', () => resolve(value))),
  );
  replace(globalThis, 'Date', dateOf(schedule));
  replace(Math, 'random', () => entry.next());
  replace(AbortSignal, 'any', anyOf);
  replace(AbortController.prototype, 'abort', abortOf(Reflect.get(AbortController.prototype, 'abort') as Abort));
  for (const [name, value] of Object.entries(chanceOf(entry, schedule))) replace(crypto, name, value);
  return () => undo.reverse().forEach((step) => step());
}

function timersOf(schedule: Schedule): Record<string, unknown> {
  const timer =
    (repeats: boolean) =>
    (call: Calls, ms = 1, ...args: unknown[]): WorldTimer =>
      new WorldTimer(schedule, schedule.current, atLeastOne(ms), repeats, () => call(...args));
  const setTimer = timer(false);
  const turn = (call: Calls, ...args: unknown[]): Happening => schedule.turn('turn', () => call(...args));
  Object.defineProperty(setTimer, promisify.custom, { value: timersPromises.setTimeout });
  const clear = (made: unknown): void => {
    if (made instanceof WorldTimer) made.close();
    else if (made && typeof made === 'object' && 'run' in made) made.run = null;
  };
  return {
    setTimeout: setTimer,
    setInterval: timer(true),
    setImmediate: turn,
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
  };
}

/** Node holds a signal that follows others for as long as somebody listens to it: those who have died do for ever. */
function anyOf(signals: readonly AbortSignal[]): AbortSignal {
  const any = new AbortController();
  for (const signal of signals) {
    if (signal.aborted) any.abort(signal.reason);
    else signal.addEventListener('abort', () => any.abort(signal.reason), { once: true });
  }
  return any.signal;
}

type Abort = (this: AbortController, reason?: unknown) => void;
const ABORTED = new DOMException('This operation was aborted', 'AbortError');

/** As Node, but for the reason, which is made once: its stack takes longer than all that follows. */
const abortOf = (abort: Abort) =>
  function (this: AbortController, reason: unknown = ABORTED): void {
    abort.call(this, reason);
  };

/** As Node: below one, beyond 31 bits and no number at all mean one. */
const atLeastOne = (ms: number): number => (ms >= 1 && ms <= 2 ** 31 - 1 ? ms : 1);

function dateOf(schedule: Schedule): DateConstructor {
  const RealDate = Date;
  const now = (): number => Math.floor(schedule.now + schedule.skew);
  // No Proxy: libraries ask of every value whether it is an instance.
  function WorldDate(...args: unknown[]): unknown {
    const self = new.target as unknown;
    if (self === undefined) return new RealDate(now()).toString();
    const made = self === WorldDate ? RealDate : (self as typeof RealDate);
    return Reflect.construct(RealDate, args.length === 0 ? [now()] : args, made);
  }
  WorldDate.prototype = RealDate.prototype;
  return Object.assign(WorldDate, { UTC: RealDate.UTC, parse: RealDate.parse, now }) as unknown as DateConstructor;
}

/** Length of a signature with an RSA key of 2048 bits, bytes. */
const SIGNATURE = 256;

/**
 * Random numbers, and signatures: those of RSA are a model, as they take most of the time of a mail, and Node makes
 * them on threads whose order no seed decides.
 */
function chanceOf(entry: Random, schedule: Schedule): Record<string, unknown> {
  const { sign, createHash } = crypto;
  const randomBytes = (size: number, call?: (error: null, bytes: Buffer) => void): Buffer | undefined => {
    const bytes = Buffer.alloc(size);
    entry.fill(bytes);
    if (!call) return bytes;
    schedule.turn('random', () => call(null, bytes));
    return undefined;
  };
  const randomFillSync = (bytes: Uint8Array): Uint8Array => {
    entry.fill(bytes);
    return bytes;
  };
  const randomInt = (low: number, high?: number): number =>
    high === undefined ? entry.below(low) : low + entry.below(high - low);
  const randomUUID = (): string => {
    const hex = randomBytes(16)!.toString('hex');
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
  };
  return {
    randomBytes,
    randomFillSync,
    randomInt,
    randomUUID,
    sign: (...args: [string, Uint8Array, crypto.KeyObject, ((error: null, made: Buffer) => void)?]) => {
      const [algorithm, data, key, call] = args;
      if (!call) return sign(algorithm, data, key);
      const made = Buffer.alloc(SIGNATURE, createHash('sha256').update(data).digest());
      schedule.after(1, 'signature', () => call(null, made));
      return undefined;
    },
  };
}
