import type { Command } from 'commander';
import { changeSetting } from '../app/operator/change-setting';
import type { Commands } from './support/command';
import { onOff, oneOf } from './support/input';

const SWITCHES = ['api', 'module'] as const;
type Switches = Partial<Record<(typeof SWITCHES)[number], boolean>>;

/**
 * `kurir switch api|module on|off`: the operator's switches of the contract (503; 403 module closed). They take effect
 * at once.
 */
export const switchCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'switch',
    summary: 'turn the REST API or the email module on or off for all workspaces; without a state, show it',
    args: [
      ['<what>', 'api or module'],
      ['[state]', 'on or off'],
    ],
    examples: [
      ['switch api off', 'every endpoint answers 503'],
      ['switch module on', 'the email module is open again'],
      ['switch api', 'show its state'],
    ],
    run: (input) => {
      const what = input.arg('what', oneOf(...SWITCHES));
      const wanted = input.optionalArg('state', onOff);
      return async (session) => {
        const { settings } = session.stores;
        const on = wanted ?? ((await settings.get('switches')) as Switches | undefined)?.[what] ?? true;
        if (wanted !== undefined) {
          await session.note(`switch ${what}`, wanted ? 'on' : 'off', null);
          await changeSetting<Switches>(settings, 'switches', (held) => ({ ...held, [what]: on }));
        }
        return { text: `${what} is ${on ? 'on' : 'off'}\n`, json: { switch: what, on } };
      };
    },
  });
