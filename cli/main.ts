import { Command } from 'commander';
import { explain } from '../app/explain';
import { auditCommand } from './audit';
import { switchCommand } from './switch';

const program = new Command('kurir')
  .description('Operate Kurir: works while the service runs, and when it does not.')
  .addCommand(switchCommand())
  .addCommand(auditCommand())
  .showHelpAfterError();

program.parseAsync().catch((error: unknown) => {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
});
