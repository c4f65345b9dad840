import type { Command } from 'commander';
import { checkUpgrade, type UpgradeCheck } from '../app/operator/upgrade';
import type { BareVerbSpec, Commands } from './support/command';
import type { Paint } from './support/paint';
import { table } from './support/table';

const show = (paint: Paint, { processes, blocking, ok, verdict }: UpgradeCheck): string =>
  [
    ...(processes.length === 0
      ? []
      : [
          table(
            paint,
            [{ title: 'process', max: 120 }, { title: 'release' }, { title: 'schema' }, { title: 'must end first' }],
            processes.map((process) => [
              process.name,
              process.release ?? 'older',
              process.schema,
              blocking.includes(process) ? 'yes' : 'no',
            ]),
            '',
          ),
        ]),
    `${paint(ok ? 'good' : 'bad', ok ? 'It can go on.' : 'Not yet.')} ${verdict}\n`,
  ].join('');

const present = (found: UpgradeCheck) => ({
  ok: found.ok,
  release: found.release,
  schema: { data: found.data, program: found.program, changes: found.step },
  processes: found.processes.map((process) => ({
    name: process.name,
    release: process.release,
    schema: process.schema,
    must_end_first: found.blocking.includes(process),
  })),
  verdict: found.verdict,
});

const check: BareVerbSpec = {
  name: 'check',
  summary: 'say whether the service of this release can be started on the data now, and which processes must end first',
  examples: [
    ['upgrade check', 'with the new release, before it is started; exit code 1: not yet'],
    ['upgrade check --json', 'for a script that waits'],
  ],
  bare: true,
  run:
    () =>
    async ({ host, paint }) => {
      const found = await checkUpgrade(host.config());
      return { text: show(paint, found), json: present(found), code: found.ok ? 0 : 1 };
    },
};

/** `kurir upgrade`: whether this release can take over the data. */
export const upgradeCommand = (commands: Commands): Command =>
  commands.group('upgrade', 'whether this release can take over the data', [check]);
