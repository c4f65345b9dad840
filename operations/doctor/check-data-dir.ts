import { rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../installation/data-dir';
import type { Check } from './check';

/** With fewer free bytes than this the disk will soon be full. */
const LITTLE = 100 * 1024 ** 2;

export interface DataDirState {
  path: string;
  writable: boolean;
  freeBytes: number | null;
  totalBytes: number | null;
}

const size = (bytes: number): string => {
  const gib = bytes / 1024 ** 3;
  return gib >= 1 ? `${gib.toFixed(1)} GiB` : `${(bytes / 1024 ** 2).toFixed(0)} MiB`;
};

/** Checks that the data dir takes a file, how much space is left, and that only its owner can read the secret. */
export async function checkDataDir(path: string): Promise<{ state: DataDirState; checks: Check[] }> {
  const fault = tryToWrite(path);
  const space = await statfs(path).catch(() => null);
  const freeBytes = space && space.bavail * space.bsize;
  const totalBytes = space && space.blocks * space.bsize;
  const room = freeBytes === null ? 'free space unknown' : `${size(freeBytes)} free of ${size(totalBytes ?? 0)}`;
  const checks: Check[] = [
    fault === null
      ? { check: 'data directory', status: 'ok', detail: `${path}, writable` }
      : { check: 'data directory', status: 'wrong', detail: `${path} is not writable: ${fault}` },
    { check: 'disk', status: freeBytes !== null && freeBytes < LITTLE ? 'wrong' : 'ok', detail: room },
    ...openSecret(join(path, 'secret')),
  ];
  return { state: { path, writable: fault === null, freeBytes, totalBytes }, checks };
}

function tryToWrite(path: string): string | null {
  const file = join(path, `.doctor-${process.pid}`);
  try {
    writeDurably(file, 'x');
    rmSync(file);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

function openSecret(file: string): Check[] {
  const mode = statSync(file, { throwIfNoEntry: false })?.mode ?? 0;
  if ((mode & 0o077) === 0) return [];
  return [{ check: 'secret', status: 'wrong', detail: `${file} can be read by other users: run chmod 600 on it` }];
}
