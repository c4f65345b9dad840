import { Command } from 'commander';
import { advanceCommand, nowCommand } from './sandbox-clock';

/** `kurir sandbox`: what there is to do while the sandbox is the sending server. */
export function sandboxCommand(): Command {
  return new Command('sandbox')
    .description('try the service without a sending server')
    .addCommand(advanceCommand())
    .addCommand(nowCommand());
}
