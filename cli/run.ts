import { Command, CommanderError } from 'commander';
import { explain } from '../lib/explain';
import { VERSION } from '../lib/version';
import { COMMANDS, commandOf, PROOF } from './commands';
import type { CommandEntry } from './support/command';
import { printable } from '../lib/printable';
import { OperationError } from '../operations/definition/errors';
import type { OnExit } from './support/build';
import { withFormerName, WITHOUT_FORMER_NAMES } from './support/former-name';
import type { Host } from './support/host';
import { jsonText } from './support/output';

/**
 * Runs one command line, without the program's name. Resolves with the exit code: 0 done, 1 failed or found something
 * wrong, 2 usage error. Never rejects; all output goes to the host's streams.
 */
export async function runCli(argv: readonly string[], host: Host): Promise<number> {
  let code = 0;
  const json = argv.includes('--json');
  const only = commandOf(argv);
  try {
    const onExit = (exit: number): void => {
      code = exit;
      host.answered?.(exit);
    };
    const program = await buildProgram(host, onExit, { quiet: json, load: only ? [only] : [] });
    await program.parseAsync([...argv], { from: 'user' });
    return code;
  } catch (error) {
    // The reader has closed its end, so no message can reach it.
    if (host.readerGone?.aborted) return 1;
    // Requested help is no error; commander has printed its own errors already.
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    if (error instanceof CommanderError && !json) return 2;
    host.stderr.write(`${json ? errorJson(error) : errorText(error)}\n`);
    if (error instanceof CommanderError) return 2;
    return error instanceof OperationError ? error.code : 1;
  }
}

interface ProgramOptions {
  /** Keeps commander from printing errors in its own words. */
  quiet?: boolean;
  /** Commands to load; the others have only name and summary. */
  load?: readonly CommandEntry[];
}

/** The program for one run, by default with every command loaded. */
export async function buildProgram(host: Host, onExit: OnExit, options: ProgramOptions = {}): Promise<Command> {
  const { quiet = false, load = COMMANDS } = options;
  const program = new Command('kurir').description(
    'Operate Kurir, whether the service is running or not. Give workspaces, keys and domains by id or name.',
  );
  program.version(VERSION);
  for (const entry of COMMANDS)
    program.addCommand(load.includes(entry) ? await loaded(entry, host, onExit) : stub(entry));
  program.addHelpText(
    'after',
    `\nAlso available: kurir ${PROOF.name}: ${PROOF.summary}.\n\nEvery command takes --json and --utc, and shows examples with --help.\nExit codes: 0 success, 1 failure or a problem found, 2 usage error.\n`,
  );
  settle(program, host, quiet);
  return program;
}

async function loaded(entry: CommandEntry, host: Host, onExit: OnExit): Promise<Command> {
  const [commands, { buildCommand }] = await Promise.all([entry.load(), import('./support/build.js')]);
  return buildCommand(entry, commands, host, onExit);
}

const stub = ({ name, summary, formerly }: CommandEntry): Command =>
  withFormerName(new Command(name).description(summary), formerly);

/** Commander passes settings on only to commands that it creates itself. */
function settle(command: Command, host: Host, quiet: boolean): void {
  command
    .exitOverride()
    .showHelpAfterError('(see --help)')
    .configureHelp(WITHOUT_FORMER_NAMES)
    .configureOutput({
      writeOut: (text) => void host.stdout.write(text),
      writeErr: (text) => void (quiet || host.stderr.write(text)),
      getOutHelpWidth: () => host.stdout.columns ?? 100,
      getErrHelpWidth: () => host.stderr.columns ?? 100,
    });
  for (const sub of command.commands) settle(sub, host, quiet);
}

function errorText(error: unknown): string {
  if (!(error instanceof OperationError)) return explain(error);
  return [printable(error.message), ...(error.fix ? [printable(error.fix)] : [])].join('\n');
}

function errorJson(error: unknown): string {
  if (error instanceof CommanderError) {
    return jsonText({
      error: { message: error.message.replace(/^error: /, ''), argument: null, fix: 'See --help.' },
    });
  }
  const known = error instanceof OperationError ? error : null;
  const message = known?.message ?? explain(error);
  return jsonText({ error: { message, argument: known?.argument ?? null, fix: known?.fix || null } });
}
