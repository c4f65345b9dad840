import { readConfig } from '../app/config';
import { runCli } from './run';

// Nothing this command makes is for other users of the machine.
process.umask(0o077);
const { stdin, stdout, stderr } = process;
// Whoever reads no further (`kurir log | head`) has seen enough; the command itself is done by then.
stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});
void runCli(process.argv.slice(2), { stdin, stdout, stderr, config: () => readConfig(process.env) }).then((code) => {
  process.exitCode = code;
});
