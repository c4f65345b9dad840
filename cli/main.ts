import { readConfig } from '../app/config';
import { runCli } from './run';

// Nothing this command makes is for other users of the machine.
process.umask(0o077);
const { stdin, stdout, stderr } = process;
void runCli(process.argv.slice(2), { stdin, stdout, stderr, config: () => readConfig(process.env) }).then((code) => {
  process.exitCode = code;
});
