import type { Config } from '../app/config/config';
import { loadConfig } from '../app/config/load-config';
import { runCli } from './run';
import type { Host } from './support/host';

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

const argv = process.argv.slice(2);

function config(): Config {
  const { config: loaded, warnings } = loadConfig(process.env, process.cwd());
  // What is written to stderr with --json is one object.
  if (!argv.includes('--json')) for (const warning of warnings) stderr.write(`${warning}\n`);
  return loaded;
}

const host: Host = { stdin, stdout, stderr, config, readerGone: reader.signal, interrupts };
void runCli(argv, host).then((code) => {
  process.exitCode = code;
});
