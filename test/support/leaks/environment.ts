import { TestEnvironment } from 'jest-environment-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { relative } from 'node:path';
import { disableStorages } from './storages';
import { Tracker } from './tracker';

/**
 * How long what a file has closed may take to go, ms of real time. Longer than a call of a store may take (30 s), so
 * that a slow end on a busy machine is no leak. Only a file that leaves something waits for it.
 */
const GRACE = 40_000;
const LOOK_EVERY = 10;

/** What jest-circus tells of a file, as far as it is of use here. */
interface CircusEvent {
  name: string;
  error?: unknown;
  promise?: unknown;
  test?: Limited;
  hook?: Limited;
}
interface CircusState {
  unhandledErrors: unknown[];
  testTimeout: number;
}
interface Limited {
  timeout?: number | null | undefined;
}

/** An error without a stack, since the place where it was found says nothing. */
function failure(text: string): Error {
  const error = new Error(text);
  error.stack = text;
  return error;
}

const tracker = new Tracker();
/** Each file has its own built-in objects, which identify the owner of a promise, an error or a function. */
const files = new WeakMap<object, string>();
/** Files that were told already what they leave behind: timers of theirs may begin again under a later file. */
const reported = new Set<string>();

/** The file whose code made the value; null for what Node or Jest made. */
function fileOf(value: unknown): string | null {
  let last: unknown = value;
  while ((typeof last === 'object' || typeof last === 'function') && last !== null) {
    const file = files.get(last);
    if (file !== undefined) return file;
    last = Object.getPrototypeOf(last);
  }
  return null;
}

/**
 * Fails a file that leaves timers, sockets, servers, child processes or worker threads behind, and names what it left;
 * and where an error arrives that nobody waits for, names the file it comes from, which may have ended long ago. Tells
 * a wait when its test or hook is ended, so that it gives up before (test/support/limits.ts).
 */
class LeakEnvironment extends TestEnvironment {
  private readonly root: string;
  private readonly file: string;
  private readonly grace: number;

  constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
    super(config, context);
    this.root = config.projectConfig.rootDir;
    this.grace = Number(config.projectConfig.testEnvironmentOptions['grace'] ?? GRACE);
    this.file = relative(this.root, context.testPath);
  }

  override async setup(): Promise<void> {
    await super.setup();
    files.set(this.global.Object.prototype, this.file);
    tracker.start();
  }

  async handleTestEvent(event: CircusEvent, state: CircusState): Promise<void> {
    const limited = event.name === 'test_fn_start' ? event.test : event.name === 'hook_start' ? event.hook : null;
    if (limited) this.global['kurirTestEnds'] = performance.now() + (limited.timeout ?? state.testTimeout);
    if (event.name === 'error') this.tell(event, state);
    if (event.name === 'run_finish') await this.check(state);
  }

  override async teardown(): Promise<void> {
    tracker.stop();
    disableStorages();
    await super.teardown();
  }

  private tell({ error, promise }: CircusEvent, { unhandledErrors }: CircusState): void {
    const maker = fileOf(promise) ?? fileOf(error);
    if (maker === null || maker === this.file) return;
    unhandledErrors.push(failure(`${maker} left work behind, which failed while ${this.file} ran: ${String(error)}`));
  }

  private async check({ unhandledErrors }: CircusState): Promise<void> {
    const end = performance.now() + this.grace;
    let left = this.left();
    while (left.length > 0 && performance.now() < end) {
      await sleep(LOOK_EVERY);
      left = this.left();
    }
    if (left.length === 0) return;
    reported.add(this.file);
    unhandledErrors.push(failure([`${this.file} leaves behind:`, ...left].join('\n  ')));
  }

  /** Each thing as a line; one that another file makes again and again names it. */
  private left(): string[] {
    const lines: string[] = [];
    for (const { what, calls } of tracker.alive(this.root)) {
      const maker = fileOf(calls) ?? this.file;
      if (maker === this.file) lines.push(what);
      else if (!reported.has(maker)) lines.push(`${what}, by ${maker}`);
    }
    return lines;
  }
}

export = LeakEnvironment;
