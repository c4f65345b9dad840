import { ValueError } from '../lib/reason';
import { AdvancingClock } from '../lib/advancing-clock';
import { controlOf } from '../operations/time-travel/control-client';
import { LONGEST_ADVANCE } from '../operations/time-travel/protocol';
import { formatDuration } from '../lib/duration';
import { withOperator } from './support/build';
import { bareCommand } from './support/command';
import type { Host } from './support/host';
import { INTERRUPTED } from './support/interruptible';
import { argument, type Columns, duration, jsonTime, text, rule } from '../operations/definition';
import { counted } from '../lib/counted';

/** As it is written, and in ms. */
const length = argument('such as 30s, 10m, 23h, 3d or 1d12h; at most ten years', (raw) => {
  const ms = duration(raw);
  if (ms === 0) throw new ValueError(rule('longer'));
  if (ms > LONGEST_ADVANCE) throw new ValueError(rule('at_most', { most: formatDuration(LONGEST_ADVANCE) }));
  return { written: text()(raw), ms };
});

async function readTimes(host: Host) {
  const clock = host.clock ?? new AdvancingClock();
  const machine = await withOperator({ ...host, clock }, async () => clock.machineTime());
  return { machine_time: jsonTime(machine), service_time: jsonTime(machine + clock.offset), offset_ms: clock.offset };
}

const TIMES: Columns<Awaited<ReturnType<typeof readTimes>>> = {
  machine: (of, view) => view.time(of.machine_time),
  service: (of, view) => view.time(of.service_time),
  offset: (of) => formatDuration(of.offset_ms),
};

/** `kurir sandbox advance`: everything due in between happens in order. */
export const advance = bareCommand('sandbox.advance', {
  summary: 'advance the clock of the running service; everything due by then happens in order',
  arguments: { duration: length },
  dashes: true,
  examples: [
    ['sandbox advance 3d', 'three days of retries'],
    ['sandbox advance 1d --json', 'the result as JSON, for a script'],
  ],
  notes:
    'Works only with the sandbox as the sending server. The clock never goes back. Ctrl-C stops after the current step, with exit code 130.',
  handler: async ({ duration: { ms, written } }, { host, progress }) => {
    const control = controlOf(host.config());
    // Closed before the service works: that may take minutes.
    await withOperator(host, (operator) => operator.note('sandbox advance', written, null));
    const stop = host.interrupts?.() ?? new AbortController().signal;
    const bar = progress('advancing', ms, formatDuration);
    const { moved, steps, stopped } = await control
      .advance(ms, (reached) => bar.to(reached.moved, reached.whole), stop)
      .finally(() => bar.done());
    return { ...(await readTimes(host)), advanced_ms: moved, steps, stopped };
  },
  code: ({ stopped }) => (stopped ? INTERRUPTED : 0),
  text: (of, view) => {
    const done = `${of.stopped ? 'Stopped after' : 'Advanced by'} ${formatDuration(of.advanced_ms)}`;
    return `${done}, in ${counted(of.steps, 'step')}.\n${view.details(of, TIMES)}`;
  },
});

/** `kurir sandbox now`: also when the service does not run. */
export const now = bareCommand('sandbox.now', {
  summary: 'show the time of this machine, the time of the service, and the difference',
  examples: [
    ['sandbox now', 'both times and the offset'],
    ['sandbox now --json', 'for a script'],
  ],
  handler: (_, { host }) => readTimes(host),
  details: TIMES,
});
