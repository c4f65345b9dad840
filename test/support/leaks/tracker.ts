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
/** Frames of a stack that are the tracker's own: `note` and `init`. */
const OF_THE_TRACKER = 2;

interface Resource {
  /** Of a timer: what it calls. */
  _onTimeout?: unknown;
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

/** A resource that is still open. */
interface Left {
  /** As `a timer, made at test/some.test.ts:12:3`. */
  what: string;
  /** What a timer calls, which tells whose it is. */
  calls: unknown;
}

/** Tracks the resources created in this process between `start` and `stop`, and lists those still open. */
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

  /** Lists open resources; `root` is left out of paths. */
  alive(root: string): Left[] {
    const left: Left[] = [];
    for (const { kind, at, resource } of this.sweep()) {
      const place = placeOf(at.stack ?? '', kind, root);
      if (place !== null) left.push({ what: `${kind}, made ${place}`, calls: resource.deref()?._onTimeout });
    }
    return left;
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

const TIMERS = /node:(?:internal\/)?(?:timers|async_hooks)/;
const NODE = /\bnode:/;
const JEST = /node_modules\/(?:@jest|jest|jest-[\w-]+|expect)\//;
/** The output of the process, which is opened when it is first used. */
const OUTPUT = /getStd(?:in|out|err)/;

/**
 * Where a stack leads to, the innermost first; null for what no test answers for: Jest's own work, and timers that Node
 * keeps for itself, such as the one of its date cache.
 */
function placeOf(stack: string, kind: string, root: string): string | null {
  const lines = stack.split('\n').map((line) => line.trim());
  const frames = lines.filter((line) => line.startsWith('at ')).slice(OF_THE_TRACKER);
  const makers = frames.filter((frame) => !TIMERS.test(frame));
  if (kind === KINDS.Timeout && NODE.test(makers[0] ?? 'node:')) return null;
  const outside = makers.filter((frame) => !NODE.test(frame));
  if (JEST.test(outside[0] ?? '') || makers.some((frame) => OUTPUT.test(frame))) return null;
  const own = outside.filter((frame) => frame.includes(root) && !frame.includes('node_modules'));
  const place = [own, outside, makers].find(({ length }) => length > 0) ?? [];
  return place.slice(0, 4).join(' < ').replaceAll(`${root}/`, '');
}
