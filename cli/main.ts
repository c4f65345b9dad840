import { readConfig, type Config } from '../app/config/config';
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

const config = (): Config => readConfig(process.env);
const host: Host = { stdin, stdout, stderr, config, readerGone: reader.signal, interrupts };
void runCli(process.argv.slice(2), host).then((code) => {
  process.exitCode = code;
});
