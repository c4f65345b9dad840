import { writeBackup } from '../operations/backup/write-backup';
import { SCHEMA_VERSION } from '../stores/shared/data-file';
import { AdvancingClock } from '../lib/advancing-clock';
import { withOperator } from './support/build';
import { bareCommand, type CliCommand, type Terminal } from './support/command';
import { interruptible, stoppable } from './support/interruptible';
import { argument, text } from '../operations/definition';

async function perform({ host, progress }: Terminal, file: string, signal: AbortSignal) {
  const bar = progress('bytes', null);
  try {
    const { path, size, manifest, otherSandbox } = await writeBackup(host.config(), file, {
      now: (host.clock ?? new AdvancingClock()).machineTime(),
      onBegin: async (schemaVersion) => {
        // Opening older data would migrate it, and this backup may be the one before an upgrade.
        if (schemaVersion !== SCHEMA_VERSION) return;
        await withOperator(host, (operator) => operator.note('backup', file, null));
      },
      onProgress: (done, total) => bar.to(done, total),
      signal,
    });
    const hasSecret = manifest.files.some(({ name }) => name === 'secret');
    const notes = [
      hasSecret
        ? 'The backup contains the master secret: keep the file as private as the data directory.'
        : 'The backup does not contain the master secret, because it is not in the data directory: keep KURIR_SECRET separately.',
      ...(otherSandbox === null ? [] : [`The sandbox file was left out: it belongs to installation ${otherSandbox}.`]),
    ];
    return { file: path, size, ...manifest, notes };
  } finally {
    bar.done();
  }
}

/** `kurir backup <file>`: store, sandbox and master secret as of one instant, in one file. */
export const BACKUP_COMMANDS: readonly CliCommand[] = [
  bareCommand('backup', {
    arguments: { file: argument('a new file; existing files are never overwritten', text(4_096)) },
    examples: [
      ['backup /backup/kurir-monday.tar', 'written with mode 0600, because it may contain the master secret'],
      ['backup kurir.tar --json', 'its contents, for a script'],
    ],
    notes: `The file is a tar archive with a manifest and checksums. It gets its name only once it is complete and on disk. Until then
<file>.unfinished next to it holds the work in progress, up to twice the size of the data. Embedded engine only.`,
    handler: ({ file }, terminal) => interruptible(terminal, (signal) => perform(terminal, file, signal)),
    ...stoppable<Awaited<ReturnType<typeof perform>>>(({ file, size, files, notes }) => {
      const names = files.map(({ name }) => name).join(', ');
      return `Wrote ${file}: ${size.toLocaleString('en')} bytes, with ${names}.\n${notes.join('\n')}\n`;
    }),
  }),
];
