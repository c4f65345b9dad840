import { openSync, readSync } from 'node:fs';

/**
 * Loaded before everything else, in each thread: the machine's clock is as far off as a file says, and jumps when the
 * file changes. It shifts `Date` for all code, of libraries too; timers and the monotonic clock run as they are.
 */
function shiftClock(file: string): void {
  const fd = openSync(file, 'r');
  const bytes = Buffer.alloc(20);
  const RealDate = Date;
  const now = (): number => {
    readSync(fd, bytes, 0, bytes.length, 0);
    return RealDate.now() + Number(bytes.toString('latin1'));
  };
  globalThis.Date = new Proxy(RealDate, {
    get: (target, name) => (name === 'now' ? now : (Reflect.get(target, name) as unknown)),
    apply: () => new RealDate(now()).toString(),
    construct: (target, args: unknown[], newTarget) =>
      Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget) as Date,
  });
}

const file = process.env['KURIR_PROOF_CLOCK'];
if (file) shiftClock(file);
