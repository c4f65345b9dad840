import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

export interface ChildOptions {
  /** Default: the folder of the program, since a developer's `.env` is not there. */
  cwd?: string;
  /** Default: the variables of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** Options of Node. */
  execArgv?: readonly string[];
  /** Receives what it prints: a file descriptor, open for appending, or what this process prints to. Default: kept. */
  output?: number | 'inherit';
  /** True: it can be sent messages, and it sends some. */
  hasChannel?: boolean;
}

/** How a process ended. */
export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
}

const PRLIMIT = '/usr/bin/prlimit';
/** False where the system cannot refuse the writes of a process that runs. */
export const canFillDisk = (): boolean => existsSync(PRLIMIT);

/** A built program in a process of its own: what it prints, how it ends, and the signals that it is sent. */
export class Child {
  protected readonly child: ChildProcess;
  /** Resolves when it has ended and all that it printed is there. */
  readonly ended: Promise<End>;
  private readonly pieces: { isError: boolean; text: string }[] = [];
  private readonly listeners = new Set<() => void>();
  private frozen = false;

  /** Starts Node with the program and its arguments. */
  constructor(
    program: string,
    args: readonly string[] = [],
    { cwd = dirname(program), env, execArgv = [], output, hasChannel = false }: ChildOptions = {},
  ) {
    const to = output ?? 'pipe';
    this.child = spawn(process.execPath, [...execArgv, program, ...args], {
      cwd,
      env,
      serialization: 'advanced',
      stdio: ['ignore', to, to, ...(hasChannel ? ['ipc' as const] : [])],
    });
    this.ended = new Promise((resolve) => this.child.once('close', (code, signal) => resolve({ code, signal })));
    // That it could not be started is one of its ends.
    this.child.on('error', () => undefined);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => this.hear({ isError: false, text }));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => this.hear({ isError: true, text }));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  get isAlive(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  get isFrozen(): boolean {
    return this.frozen;
  }

  /** Everything that it printed so far, in the order in which it came. */
  get printed(): string {
    return this.pieces.map(({ text }) => text).join('');
  }
  get stdout(): string {
    return this.printedTo(false);
  }
  get stderr(): string {
    return this.printedTo(true);
  }

  /** Waits until it has printed the text. Rejects with what it printed when it ends before. */
  async untilPrinted(text: string): Promise<void> {
    const isThere = (): boolean => this.printed.includes(text);
    let look = (): void => undefined;
    const heard = new Promise<void>((resolve) => {
      look = () => isThere() && resolve();
      look();
    });
    this.listeners.add(look);
    const end = await Promise.race([heard, this.ended]);
    this.listeners.delete(look);
    if (!isThere()) throw new Error(`ended with ${end?.signal ?? end?.code}: ${this.printed}`);
  }

  /** Sends SIGKILL, unless it has ended. */
  async kill(): Promise<End> {
    this.signal('SIGKILL');
    return this.ended;
  }

  /** Sends SIGTERM, and SIGKILL when it has not ended within `patience` ms: its end then names that. */
  async terminate(patience = Infinity): Promise<End> {
    this.thaw();
    this.signal('SIGTERM');
    const timer = patience < Infinity ? setTimeout(() => this.signal('SIGKILL'), patience) : undefined;
    const end = await this.ended;
    clearTimeout(timer);
    return end;
  }

  /** Sends SIGINT, as Ctrl-C does. */
  interrupt(): void {
    this.signal('SIGINT');
  }

  /** Sends SIGSTOP: it stops wherever it is. */
  freeze(): void {
    this.frozen = true;
    this.signal('SIGSTOP');
  }

  /** Sends SIGCONT to a frozen one. */
  thaw(): void {
    if (!this.frozen) return;
    this.frozen = false;
    this.signal('SIGCONT');
  }

  /** The system refuses writes beyond this size of any file, as on a disk without room; null lifts that. */
  limitFiles(bytes: number | null): void {
    const limit = `--fsize=${bytes ?? 'unlimited'}:unlimited`;
    execFileSync(PRLIMIT, ['--pid', String(this.pid), limit], { stdio: 'ignore' });
  }

  private signal(name: NodeJS.Signals): void {
    if (this.isAlive) this.child.kill(name);
  }

  private hear(piece: { isError: boolean; text: string }): void {
    this.pieces.push(piece);
    for (const listener of this.listeners) listener();
  }

  private printedTo(isError: boolean): string {
    return this.pieces.flatMap((piece) => (piece.isError === isError ? [piece.text] : [])).join('');
  }
}
