import { createHook } from 'node:async_hooks';

/** What keeps work or a process going, by the name async_hooks gives it. */
const KINDS: Readonly<Record<string, string>> = {
  Timeout: 'a timer',
  TCPWRAP: 'a socket',
  TCPSERVERWRAP: 'a server',
  PIPEWRAP: 'a pipe',
  PIPESERVERWRAP: 'a server on a pipe',
  UDPWRAP: 'a UDP socket',
  PROCESSWRAP: 'a child process',
  WORKER: 'a worker thread',
  FSEVENTWRAP: 'a file watcher',
};
/** Dead entries are dropped whenever so many new ones came. */
const SWEEP_EVERY = 2_000;
const FRAMES = 40;

interface Resource {
  /** Of a timer: it fired for the last time, or was cleared. */
  _destroyed?: boolean;
  /** Of a handle: open, and not unreferenced. */
  hasRef?(): boolean;
}

interface Made {
  kind: string;
  resource: WeakRef<Resource>;
  /** Its stack is where the resource was made. */
  at: Error;
}

/** Notes what is made in this process between `start` and `stop`, and tells what of it is still there. */
export class Tracker {
  private made = new Map<number, Made>();
  private sinceSweep = 0;
  private readonly hook = createHook({
    init: (id, type, _trigger, resource) => {
      const kind = KINDS[type];
      if (kind !== undefined) this.note(id, kind, resource);
    },
  });

  start(): void {
    this.made = new Map();
    this.hook.enable();
  }

  stop(): void {
    this.hook.disable();
    this.made.clear();
  }

  /** What is still there, as `a timer, made at test/some.test.ts:12:3`; `root` is left out of paths. */
  alive(root: string): string[] {
    const lines: string[] = [];
    for (const { kind, at } of this.sweep()) {
      const place = placeOf(at.stack ?? '', kind, root);
      if (place !== null) lines.push(`${kind}, made ${place}`);
    }
    return lines;
  }

  private note(id: number, kind: string, resource: Resource): void {
    const limit = Error.stackTraceLimit;
    Error.stackTraceLimit = FRAMES;
    const at = new Error(kind);
    Error.stackTraceLimit = limit;
    this.made.set(id, { kind, resource: new WeakRef(resource), at });
    this.sinceSweep += 1;
    if (this.sinceSweep >= SWEEP_EVERY) this.sweep();
  }

  private sweep(): Iterable<Made> {
    this.sinceSweep = 0;
    for (const [id, { kind, resource }] of this.made) {
      const it = resource.deref();
      const alive = it && (kind === KINDS.Timeout ? !it._destroyed : it.hasRef?.());
      if (!alive) this.made.delete(id);
    }
    return this.made.values();
  }
}

/** What makes timers, before whoever asked for one. */
const TIMERS = /node:(?:internal\/)?(?:timers|async_hooks)/;
/** Jest's own work, and output of the process, which is opened when first used. */
const OURS = /node_modules\/(?:@jest|jest|jest-[\w-]+|expect)\/|get(?:Stdin|Stdout|Stderr) \(node:/;

/** Where a stack leads to; null for what no test answers for: Jest's work, and what Node keeps for itself, such as its date cache. */
function placeOf(stack: string, kind: string, root: string): string | null {
  const frames = stack
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .slice(2)
    .map((line) => line.trim());
  const makers = frames.filter((frame) => !TIMERS.test(frame));
  if (kind === KINDS.Timeout && (makers[0] ?? 'node:').includes('node:')) return null;
  const foreign = makers.filter((frame) => !frame.includes('node:'));
  if (OURS.test(foreign[0] ?? '') || makers.some((frame) => /getStd(?:in|out|err)/.test(frame))) return null;
  const own = foreign.filter((frame) => frame.includes(root) && !frame.includes('node_modules'));
  const told = own.length > 0 ? own : foreign.length > 0 ? foreign : makers;
  return told.slice(0, 4).join(' < ').replaceAll(`${root}/`, '');
}
