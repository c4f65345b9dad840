import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably, type DataDir } from '../engines/data-dir';

const CONTROL_FILE = 'control.json';

/** How the command line reaches the running service; null: it may not be controlled, since it sends real mail. */
export type ControlAddress = { url: string; token: string } | null;

/** Tells the command line of this user, and nobody else, where the service listens for it. Mode 0600. */
export function writeControlFile(dir: DataDir, address: ControlAddress): void {
  writeDurably(dir.file(CONTROL_FILE), `${JSON.stringify({ control: address })}\n`);
}

export function removeControlFile(dir: DataDir): void {
  rmSync(dir.file(CONTROL_FILE), { force: true });
}

/** What the service wrote, also one that was killed since; undefined when there is nothing, or nothing readable. */
export function readControlFile(dataDir: string): ControlAddress | undefined {
  try {
    const { control } = JSON.parse(readFileSync(join(dataDir, CONTROL_FILE), 'utf8')) as { control?: ControlAddress };
    return control;
  } catch {
    return undefined;
  }
}
