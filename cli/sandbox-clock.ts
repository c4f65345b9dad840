import { Argument, Command, InvalidArgumentError } from 'commander';
import { attach } from '../app/attach';
import { AdvancingClock } from '../app/clock';
import { readConfig, type Config } from '../app/config';
import { controlOf } from '../app/control-client';
import { LONGEST_ADVANCE, type Progress } from '../app/time-travel';
import { formatDuration, parseDuration } from '../domain/duration';
import { objectTime } from '../schemas/timestamps';

const BAR = 30;
/** What a shell expects of a program that SIGINT ended. */
const INTERRUPTED = 130;

interface Times {
  machine_time: string;
  service_time: string;
  offset_ms: number;
}

/** `kurir sandbox advance <duration>`: moves the clock of the running service; everything due in between happens in order. */
export function advanceCommand(): Command {
  return (
    new Command('advance')
      .description('move the clock of the running service, which sees everything that falls due until then')
      .addArgument(new Argument('<duration>', 'such as 30s, 10m, 23h, 3d or 1d12h').argParser(readLength))
      .option('--json', 'answer as JSON')
      // "-3d" is a bad duration rather than an option nobody knows.
      .allowUnknownOption()
      .addHelpText(
        'after',
        '\nExamples:\n  kurir sandbox advance 3d       three days of retries\n  kurir sandbox advance 1d --json' +
          '\n\nOnly with the sandbox as the sending server; time never goes back. Ctrl-C stops after the present step.',
      )
      .action(async (ms: number, { json }: { json?: boolean }) => {
        const config = readConfig(process.env);
        const stop = new AbortController();
        // The second one ends this command at once, and with it the advance.
        process.once('SIGINT', () => stop.abort());
        const done = await controlOf(config).advance(ms, showProgress, stop.signal);
        endProgress();
        const times = await readTimes(config);
        const answer = { ...times, advanced_ms: done.moved, steps: done.steps };
        if (json) print({ ...answer, stopped: done.stopped });
        else {
          const moved = `${done.stopped ? 'Stopped after' : 'Advanced by'} ${formatDuration(answer.advanced_ms)}`;
          process.stdout.write(`${moved}, in ${done.steps} steps.\n${asText(times)}`);
        }
        if (done.stopped) process.exitCode = INTERRUPTED;
      })
  );
}

/** `kurir sandbox now`: the time of the machine and of the service, also while it does not run. */
export function nowCommand(): Command {
  return new Command('now')
    .description('show the time of this machine, the time of the service, and what lies between')
    .option('--json', 'answer as JSON')
    .addHelpText('after', '\nExamples:\n  kurir sandbox now\n  kurir sandbox now --json')
    .action(async ({ json }: { json?: boolean }) => {
      const times = await readTimes(readConfig(process.env));
      if (json) print(times);
      else process.stdout.write(asText(times));
    });
}

function readLength(text: string): number {
  let ms: number;
  try {
    ms = parseDuration(text);
  } catch (error) {
    throw new InvalidArgumentError(`It ${(error as Error).message}.`);
  }
  if (ms === 0) throw new InvalidArgumentError('It must be longer than zero.');
  if (ms > LONGEST_ADVANCE) {
    throw new InvalidArgumentError(`It must be at most ${formatDuration(LONGEST_ADVANCE)} (ten years).`);
  }
  return ms;
}

async function readTimes(config: Config): Promise<Times> {
  const clock = new AdvancingClock();
  const engine = await attach(config, clock);
  await engine.close();
  const machine = clock.machineTime();
  return {
    machine_time: objectTime(machine),
    service_time: objectTime(machine + clock.offset),
    offset_ms: clock.offset,
  };
}

const asText = ({ machine_time, service_time, offset_ms }: Times): string =>
  `machine  ${machine_time}\nservice  ${service_time}\noffset   ${formatDuration(offset_ms)}\n`;

const print = (answer: object): void => void process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);

/** A bar on a terminal; nothing anywhere else. */
function showProgress({ at, moved, whole, steps }: Progress): void {
  if (!process.stderr.isTTY) return;
  const done = Math.floor((moved / whole) * BAR);
  const bar = '#'.repeat(done) + '-'.repeat(BAR - done);
  process.stderr.write(`\r[${bar}] ${objectTime(at).slice(0, 19)}Z, step ${steps} `);
}

function endProgress(): void {
  if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
}
