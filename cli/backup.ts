import type { Command } from 'commander';
import { writeBackup, type WrittenBackup } from '../app/backup/write-backup';
import { DATA_SCHEMA_VERSION } from '../app/engines/attach';
import { AdvancingClock } from '../app/time-travel/advancing-clock';
import { withOperator, type Commands, type Terminal } from './support/command';
import { text } from './support/input';
import { interruptible } from './support/interruptible';
import type { Answer } from './support/output';

/** `kurir backup <file>`: store, sandbox and master secret as of one instant, in one file. */
export const backupCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'backup',
    summary: 'write the whole data dir to one file, as of one instant, while the service runs or not',
    args: [['<file>', 'a new file; nothing is overwritten']],
    examples: [
      ['backup /backup/kurir-monday.tar', 'mode 0600, since the master secret may be in it'],
      ['backup kurir.tar --json', 'what is in it, for a script'],
    ],
    notes: `The file is a tar archive with a manifest and checksums. It gets its name only when it is whole and on disk. Until then the
work lies beside it in <file>.unfinished, which takes up to twice the size of the data. Embedded engine only.`,
    bare: true,
    run: (input) => {
      const file = input.arg('file', text(4_096));
      return (terminal) => interruptible(terminal, (signal) => perform(terminal, file, signal));
    },
  });

async function perform(terminal: Terminal, file: string, signal: AbortSignal): Promise<Answer> {
  const { host } = terminal;
  const bar = terminal.progress('bytes', null);
  try {
    const written = await writeBackup(host.config(), file, {
      now: (host.clock ?? new AdvancingClock()).machineTime(),
      onBegin: async (schemaVersion) => {
        // Opening older data would migrate it, and this backup may be the one before an upgrade.
        if (schemaVersion !== DATA_SCHEMA_VERSION) return;
        await withOperator(host, (operator) => operator.note('backup', file, null));
      },
      onProgress: (done, total) => bar.to(done, total),
      signal,
    });
    return present(written);
  } finally {
    bar.done();
  }
}

function present({ path, size, manifest, otherSandbox }: WrittenBackup): Answer {
  const names = manifest.files.map(({ name }) => name);
  const notes = [
    ...(names.includes('secret')
      ? ['The master secret is in it: keep the file as private as the data dir.']
      : ['The master secret is not in it, since it is not kept in the data dir: keep KURIR_SECRET apart.']),
    ...(otherSandbox === null ? [] : [`The sandbox's file is not in it: it belongs to installation ${otherSandbox}.`]),
  ];
  return {
    text: `Wrote ${path}: ${size.toLocaleString('en')} bytes, with ${names.join(', ')}.\n${notes.map((note) => `${note}\n`).join('')}`,
    json: { file: path, size, ...manifest, notes },
  };
}
