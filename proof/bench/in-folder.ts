import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Calls `play` with a new folder, which is deleted afterwards, and when the program ends before. */
export async function inFolder<T>(play: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const clear = (): void => rmSync(folder, { recursive: true, force: true });
  process.once('exit', clear);
  try {
    return await play(folder);
  } finally {
    process.removeListener('exit', clear);
    clear();
  }
}
