import { checkUpgrade } from '../operations/installation/upgrade';
import { bareCommand, type CliCommand } from './support/command';

const check = bareCommand('upgrade.check', {
  summary: 'check whether this release can be started on the data now, and which processes must stop first',
  examples: [
    ['upgrade check', 'with the new release, before you start it; exit code 1: not yet'],
    ['upgrade check --json', 'for a script that waits'],
  ],
  handler: async (_, { host }) => {
    const { ok, release, data, program, step, processes, blocking, verdict } = await checkUpgrade(
      host.config(),
      await host.tools(),
    );
    return {
      ok,
      release,
      schema: { data, program, changes: step },
      processes: processes.map((process) => ({
        name: process.name,
        release: process.release,
        schema: process.schema,
        must_end_first: blocking.includes(process),
      })),
      verdict,
    };
  },
  code: ({ ok }) => (ok ? 0 : 1),
  text: ({ ok, processes, verdict }, view) => {
    const columns = {
      process: { of: 'name', max: 120 },
      release: ({ release }: { release: string | null }) => release ?? 'older',
      schema: 'schema',
      'must stop first': (of: { must_end_first: boolean }) => (of.must_end_first ? 'yes' : 'no'),
    } as const;
    const table = processes.length === 0 ? '' : view.table(processes, columns);
    return `${table}${view.paint(ok ? 'good' : 'bad', ok ? 'Ready to upgrade.' : 'Not yet.')} ${verdict}\n`;
  },
});

/** `kurir upgrade`: whether this release can take over the data. */
export const UPGRADE_COMMANDS: readonly CliCommand[] = [check];
