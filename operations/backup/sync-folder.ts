import { closeSync, fsyncSync, openSync } from 'node:fs';

/** Makes new, renamed and deleted names in a folder durable. */
export function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
