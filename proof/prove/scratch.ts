import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const PROVE = { name: 'kurir-prove', parent: existsSync(MEMORY) ? MEMORY : tmpdir() };
const REAL = { name: 'kurir-real', parent: tmpdir() };

/**
 * A new folder for a world, in memory where there is one: its disk is a model anyway. It is deleted when this process
 * ends. Those whose process was killed are deleted now.
 */
export const scratchFolder = (): string => newFolder(PROVE);

/** The same for an installation on real files, in the folder of the system for such. */
export const realFolder = (): string => newFolder(REAL);

function newFolder({ name, parent }: typeof PROVE): string {
  const pattern = new RegExp(`^${name}-(\\d+)-`);
  for (const one of readdirSync(parent)) {
    const [, pid] = pattern.exec(one) ?? [];
    if (pid !== undefined && !runs(Number(pid))) rmSync(join(parent, one), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(parent, `${name}-${process.pid}-`));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Lets signals end this process in order. */
export function endOnSignals(): void {
  process.once('SIGINT', () => process.exit(130)).once('SIGTERM', () => process.exit(143));
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // One of another user
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
