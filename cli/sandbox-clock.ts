import { AdvancingClock } from '../app/time-travel/advancing-clock';
import { controlOf } from '../app/time-travel/control-client';
import { LONGEST_ADVANCE } from '../app/time-travel/time-travel';
import { formatDuration } from '../lib/duration';
import { withOperator, type BareVerbSpec } from './support/command';
import type { Host } from './support/host';
import { duration, text, type Read } from './support/input';
import { INTERRUPTED } from './support/interruptible';
import type { Paint } from './support/paint';
import { fields } from './support/table';
import { jsonTime, showTime } from './support/times';

/** ms */
interface Times {
  machine: number;
  offset: number;
}

const length: Read<number> = (raw) => {
  const ms = duration(raw);
  if (ms === 0) throw new RangeError('must be longer than zero');
  if (ms > LONGEST_ADVANCE) throw new RangeError(`must be at most ${formatDuration(LONGEST_ADVANCE)} (ten years)`);
  return ms;
};

function readTimes(host: Host): Promise<Times> {
  const clock = host.clock ?? new AdvancingClock();
  return withOperator({ ...host, clock }, async () => ({ machine: clock.machineTime(), offset: clock.offset }));
}

const timesText = (paint: Paint, { machine, offset }: Times): string =>
  fields(paint, [
    ['machine', showTime(machine)],
    ['service', showTime(machine + offset)],
    ['offset', formatDuration(offset)],
  ]);

const presentTimes = ({ machine, offset }: Times) => ({
  machine_time: jsonTime(machine),
  service_time: jsonTime(machine + offset),
  offset_ms: offset,
});

/**
 * `kurir sandbox advance <duration>`: moves the clock of the running service; everything due in between happens in
 * order.
 */
export const advance: BareVerbSpec = {
  name: 'advance',
  summary: 'move the clock of the running service; everything due by then happens in order',
  args: [['<duration>', 'such as 30s, 10m, 23h, 3d or 1d12h; at most ten years']],
  dashes: true,
  examples: [
    ['sandbox advance 3d', 'three days of retries'],
    ['sandbox advance 1d --json', 'the result as JSON, for a script'],
  ],
  notes:
    'Works only with the sandbox as the sending server. Time never goes back. Ctrl-C stops after the current step, with exit code 130.',
  bare: true,
  run: (input) => {
    const ms = input.arg('duration', length);
    const written = input.arg('duration', text());
    return async (terminal) => {
      const { host, paint } = terminal;
      const control = controlOf(host.config());
      // Closed before the service works: that may take minutes.
      await withOperator(host, (operator) => operator.note('sandbox advance', written, null));
      const stop = host.interrupts?.() ?? new AbortController().signal;
      const bar = terminal.progress('advancing', ms, formatDuration);
      const { moved, steps, stopped } = await control
        .advance(ms, (reached) => bar.to(reached.moved, reached.whole), stop)
        .finally(() => bar.done());
      const times = await readTimes(host);
      const said = `${stopped ? 'Stopped after' : 'Advanced by'} ${formatDuration(moved)}, in ${steps} steps.`;
      return {
        text: `${said}\n${timesText(paint, times)}`,
        json: { ...presentTimes(times), advanced_ms: moved, steps, stopped },
        code: stopped ? INTERRUPTED : 0,
      };
    };
  },
};

/** `kurir sandbox now`: the time of the machine and of the service, even when it does not run. */
export const now: BareVerbSpec = {
  name: 'now',
  summary: 'the time of this machine, the time of the service, and the difference',
  examples: [
    ['sandbox now', 'both times and the offset'],
    ['sandbox now --json', 'for a script'],
  ],
  bare: true,
  run:
    () =>
    async ({ host, paint }) => {
      const times = await readTimes(host);
      return { text: timesText(paint, times), json: presentTimes(times) };
    },
};
