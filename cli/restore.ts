import { resolve } from 'node:path';
import { restoreBackup } from '../operations/backup/restore-backup';
import { bareCommand, type CliCommand, type Terminal } from './support/command';
import { interruptible, stoppable } from './support/interruptible';
import { argument, option, text } from '../operations/definition';

async function perform({ host, progress }: Terminal, file: string, into: string | undefined, signal: AbortSignal) {
  const read = host.config();
  const config = into === undefined ? read : { ...read, dataDir: resolve(into) };
  const bar = progress('bytes', null);
  try {
    const manifest = await restoreBackup(config, file, { onProgress: (done, total) => bar.to(done, total), signal });
    const hasSecret = manifest.files.some(({ name }) => name === 'secret');
    const notes = [
      ...(hasSecret
        ? []
        : ['The backup did not contain the master secret: set KURIR_SECRET before you start the service.']),
      'Messages that were queued when the backup was made, and have been sent since, are sent again when the service starts.',
    ];
    return { data_dir: config.dataDir, ...manifest, notes };
  } finally {
    bar.done();
  }
}

/** `kurir restore <file>`: a backup into an empty data dir. */
export const RESTORE_COMMANDS: readonly CliCommand[] = [
  bareCommand('restore', {
    arguments: { file: argument('a file written by kurir backup', text(4_096)) },
    options: { into: option('<dir>', 'an empty directory; default: KURIR_DATA_DIR', text(4_096)) },
    examples: [
      ['restore /backup/kurir-monday.tar', 'into KURIR_DATA_DIR'],
      ['restore kurir.tar --into ./data-restored', 'into another directory'],
    ],
    notes: `All checksums are verified before any file is put in place. A backup of an older version is migrated when the service starts;
one of a newer version is refused. Messages that were queued when the backup was made, and have been sent since, are sent again.`,
    handler: ({ file, into }, terminal) => interruptible(terminal, (signal) => perform(terminal, file, into, signal)),
    ...stoppable<Awaited<ReturnType<typeof perform>>>((of) => {
      const names = of.files.map(({ name }) => name).join(', ');
      return `Restored the backup of ${of.created_at} into ${of.data_dir}: ${names}.\n${of.notes.join('\n')}\n`;
    }),
  }),
];
