import { TestEnvironment } from 'jest-environment-node';
import { setTimeout as sleep } from 'node:timers/promises';
import { relative } from 'node:path';
import { Tracker } from './tracker';

/** How long a resource that a file has closed may take to disappear, ms of real time. */
const GRACE = 5_000;
const LOOK_EVERY = 10;

/** The part of the jest-circus state used here. */
interface CircusEvent {
  name: string;
  error?: unknown;
  promise?: unknown;
}
interface CircusState {
  unhandledErrors: unknown[];
}

/** An error without a stack, since the place where it was found says nothing. */
function errorWithoutStack(text: string): Error {
  const error = new Error(text);
  error.stack = text;
  return error;
}

const tracker = new Tracker();
/** Each file has its own built-in objects, which identify the owner of a promise or an error. */
const files = new WeakMap<object, string>();

/** The file whose code created the value; null for Node or Jest. */
function fileOf(value: unknown): string | null {
  let last: unknown = value;
  while (typeof last === 'object' && last !== null) {
    const file = files.get(last);
    if (file !== undefined) return file;
    last = Object.getPrototypeOf(last);
  }
  return null;
}

/**
 * Fails a file that leaves timers, sockets, servers, child processes or worker threads behind, and names them. For an
 * unhandled error it names the file the error comes from, which may have ended long ago.
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
    if (event.name === 'error') this.tell(event, state);
    if (event.name === 'run_finish') await this.check(state);
  }

  override async teardown(): Promise<void> {
    tracker.stop();
    await super.teardown();
  }

  private tell({ error, promise }: CircusEvent, { unhandledErrors }: CircusState): void {
    const maker = fileOf(promise) ?? fileOf(error);
    if (maker === null || maker === this.file) return;
    unhandledErrors.push(
      errorWithoutStack(`${maker} left work behind, which failed while ${this.file} ran: ${String(error)}`),
    );
  }

  private async check({ unhandledErrors }: CircusState): Promise<void> {
    const end = performance.now() + this.grace;
    let left = tracker.alive(this.root);
    while (left.length > 0 && performance.now() < end) {
      await sleep(LOOK_EVERY);
      left = tracker.alive(this.root);
    }
    if (left.length > 0) unhandledErrors.push(errorWithoutStack([`${this.file} leaves behind:`, ...left].join('\n  ')));
  }
}

export = LeakEnvironment;
