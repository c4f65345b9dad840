import type { Sink } from './host';
import { fit } from '../../lib/printable';
import type { Progress } from '../../operations/definition';

const CELLS = 24;
const REDRAW_EVERY = 50;
/** Columns assumed for a terminal that does not report them. */
const COLUMNS = 80;
const CLEAR = '\x1b[K';

const figure = (count: number): string => count.toLocaleString('en');

/**
 * A bar on stderr for long work; only on a terminal, so that logs and pipes stay clean. `total` null: unknown; `show`
 * formats the count.
 */
export function progressOn(sink: Sink, label: string, total: number | null, show = figure): Progress {
  if (sink.isTTY !== true) return { step: () => undefined, to: () => undefined, done: () => undefined };
  let count = 0;
  let whole = total;
  let drawn = -Infinity;
  let shown = false;
  const draw = (): void => {
    const share = whole ? Math.min(1, count / whole) : 0;
    const bar = '█'.repeat(Math.round(share * CELLS)).padEnd(CELLS, '░');
    const line = `${label} ${whole === null ? show(count) : `${bar} ${show(count)}/${show(whole)}`}`;
    sink.write(`\r${fit(line, (sink.columns || COLUMNS) - 1)}${CLEAR}`);
    shown = true;
  };
  const change = (): void => {
    const now = performance.now();
    if (now - drawn < REDRAW_EVERY) return;
    drawn = now;
    draw();
  };
  draw();
  return {
    step: (more = 1) => {
      count += more;
      change();
    },
    to: (reached, of) => {
      count = reached;
      whole = of;
      change();
    },
    done: () => {
      if (shown) sink.write(`\r${CLEAR}`);
      shown = false;
    },
  };
}
