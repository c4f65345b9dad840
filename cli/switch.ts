import { Argument, Command } from 'commander';
import { attach } from '../app/attach';
import { readConfig } from '../app/config';

const SWITCHES = ['api', 'module'] as const;
type Switches = Partial<Record<(typeof SWITCHES)[number], boolean>>;

/** `kurir switch api|module on|off`: the operator's switches of the spec (503; 403 module closed). Works at once. */
export function switchCommand(): Command {
  return new Command('switch')
    .description('turn the REST API or the email module on or off for everybody')
    .addArgument(new Argument('<what>').choices(SWITCHES))
    .addArgument(new Argument('<state>').choices(['on', 'off']))
    .addHelpText(
      'after',
      '\nExamples:\n  kurir switch api off      every endpoint answers 503\n  kurir switch module on',
    )
    .action(async (what: (typeof SWITCHES)[number], state: string) => {
      const engine = await attach(readConfig(process.env));
      try {
        const now = ((await engine.stores.settings.get('switches')) ?? {}) as Switches;
        await engine.stores.settings.set('switches', { ...now, [what]: state === 'on' });
      } finally {
        await engine.close();
      }
      process.stdout.write(`${what} is ${state}\n`);
    });
}
