import type { Command } from 'commander';
import { resolve } from 'node:path';
import type { Manifest } from '../app/backup/manifest';
import { restoreBackup } from '../app/backup/restore-backup';
import type { Commands, Terminal } from './support/command';
import { text } from './support/input';
import { interruptible } from './support/interruptible';
import type { Answer } from './support/output';

/** `kurir restore <file>`: a backup into an empty data dir. */
export const restoreCommand = (commands: Commands): Command =>
  commands.verb({
    name: 'restore',
    summary: 'put a backup into an empty data dir; then start the service on it',
    args: [['<file>', 'as kurir backup wrote it']],
    options: [['--into <dir>', 'the empty folder; default: KURIR_DATA_DIR']],
    examples: [
      ['restore /backup/kurir-monday.tar', 'into KURIR_DATA_DIR'],
      ['restore kurir.tar --into ./data-restored', 'into another folder'],
    ],
    notes: `Every file is compared with its checksum before the first gets its place. A backup of an older version is migrated at the
start; one of a newer version is refused. What was queued at the moment of the backup and handed over since is sent again.`,
    bare: true,
    run: (input) => {
      const file = input.arg('file', text(4_096));
      const into = input.option('into', text(4_096));
      return (terminal) => interruptible(terminal, (signal) => perform(terminal, { file, into }, signal));
    },
  });

async function perform(
  terminal: Terminal,
  { file, into }: { file: string; into: string | undefined },
  signal: AbortSignal,
): Promise<Answer> {
  const read = terminal.host.config();
  const config = into === undefined ? read : { ...read, dataDir: resolve(into) };
  const bar = terminal.progress('bytes', null);
  try {
    const manifest = await restoreBackup(config, file, { onProgress: (done, total) => bar.to(done, total), signal });
    return present(manifest, config.dataDir);
  } finally {
    bar.done();
  }
}

function present(manifest: Manifest, dataDir: string): Answer {
  const names = manifest.files.map(({ name }) => name);
  const notes = [
    ...(names.includes('secret')
      ? []
      : ['The master secret was not in the backup: set KURIR_SECRET before the start.']),
    'Mail that was queued at the moment of the backup and handed over since is sent again when the service starts.',
  ];
  return {
    text: `Restored the backup of ${manifest.created_at} into ${dataDir}: ${names.join(', ')}.\n${notes.map((note) => `${note}\n`).join('')}`,
    json: { data_dir: dataDir, ...manifest, notes },
  };
}
