import type { Sink } from './host';

export interface Progress {
  /** So much more is done. */
  step(count?: number): void;
  /** Takes the bar away; the answer follows. */
  done(): void;
}

const CELLS = 24;
const REDRAW_EVERY = 50;

/** A bar on stderr for long work; only on a terminal, so that logs and pipes stay clean. `total` null: not known. */
export function progressOn(sink: Sink, label: string, total: number | null): Progress {
  if (sink.isTTY !== true) return { step: () => undefined, done: () => undefined };
  let count = 0;
  let drawn = -Infinity;
  const draw = (): void => {
    const share = total ? Math.min(1, count / total) : 0;
    const bar = '█'.repeat(Math.round(share * CELLS)).padEnd(CELLS, '░');
    sink.write(`\r${label} ${total === null ? count : `${bar} ${count}/${total}`}\x1b[K`);
  };
  draw();
  return {
    step: (more = 1) => {
      count += more;
      const now = performance.now();
      if (now - drawn < REDRAW_EVERY) return;
      drawn = now;
      draw();
    },
    done: () => void sink.write('\r\x1b[K'),
  };
}
