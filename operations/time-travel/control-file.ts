import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably, type DataDir } from '../installation/data-dir';

const CONTROL_FILE = 'control.json';

/** Where the command line reaches the running service; null: its clock cannot be moved, since it sends real mail. */
export type ControlAddress = { url: string; token: string } | null;

/** Writes where the service listens for the command line; only this user can read it. Mode 0600. */
export function writeControlFile(dir: DataDir, address: ControlAddress): void {
  writeDurably(dir.file(CONTROL_FILE), `${JSON.stringify({ control: address })}\n`);
}

export function removeControlFile(dir: DataDir): void {
  rmSync(dir.file(CONTROL_FILE), { force: true });
}

/** What the service wrote, even if it was killed since; undefined when there is nothing readable. */
export function readControlFile(dataDir: string): ControlAddress | undefined {
  try {
    const { control } = JSON.parse(readFileSync(join(dataDir, CONTROL_FILE), 'utf8')) as { control?: ControlAddress };
    return control;
  } catch {
    return undefined;
  }
}
