import type { Config } from '../../operations/config/config';
import { commandOf } from '../../cli/commands';
import { runCli } from '../../cli/run';
import { endAfterAnswer } from '../../cli/support/ending';
import type { Host } from '../../cli/support/host';

// Files this command creates are not for other users of the machine.
process.umask(0o077);
const { stdin, stdout, stderr } = process;
// A reader that closes the pipe (`kurir log | head`) has seen enough: no error, and a long command stops.
const reader = new AbortController();
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  reader.abort();
});

function interrupts(): AbortSignal {
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  return stop.signal;
}

const end = endAfterAnswer(process);
const argv = process.argv.slice(2);

type LoadConfig = (env: NodeJS.ProcessEnv, folder: string) => { config: Config; warnings: readonly string[] };

function readConfig(loadConfig: LoadConfig): Config {
  const { config, warnings } = loadConfig(process.env, process.cwd());
  // What is written to stderr with --json is one object.
  if (!argv.includes('--json')) for (const warning of warnings) stderr.write(`${warning}\n`);
  return config;
}

/** Only a command needs the configuration: the help of the program loads nothing for it. */
const loadNone: LoadConfig = () => {
  throw new Error('no command runs, so nothing is configured');
};

async function main(): Promise<number> {
  const load = commandOf(argv) ? (await import('../../operations/config/load-config.js')).loadConfig : loadNone;
  const config = (): Config => readConfig(load);
  const tools = async () => (await import('../engines/engine-tools.js')).engineTools;
  const host: Host = { stdin, stdout, stderr, config, tools, readerGone: reader.signal, interrupts, answered: end };
  return runCli(argv, host);
}

void main().then(end);
