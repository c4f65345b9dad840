import { DatabaseSync } from '@photostructure/sqlite';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from './data-dir';

/** Where a running service really listens, since the system may choose the ports. */
export interface RunningService {
  pid: number;
  version: string;
  /** ms */
  startedAt: number;
  /** Base of the API; ends with `/v1`. */
  baseUrl: string;
  /** By name: `http` and, where there is one, `smtp`, `smtps`, `bounce` and `sandbox`. */
  ports: Readonly<Record<string, number>>;
}

const FILE = 'running.json';

/** Records in the data dir where this service listens. The file counts only while the data dir is locked. */
export function announceRunning(dataDir: string, service: RunningService): { withdraw(): void } {
  const file = join(dataDir, FILE);
  writeDurably(file, `${JSON.stringify(service)}\n`);
  return { withdraw: () => rmSync(file, { force: true }) };
}

/**
 * Finds the service on this data dir: null when none runs; `unknown` while one starts and has not recorded where it
 * listens.
 */
export function findRunning(dataDir: string): RunningService | 'unknown' | null {
  if (!isLocked(join(dataDir, 'lock'))) return null;
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as RunningService;
  } catch {
    return 'unknown';
  }
}

/** Asks for a shared lock for an instant; the exclusive lock of a running service refuses it. */
function isLocked(file: string): boolean {
  if (!existsSync(file)) return false;
  let db: InstanceType<typeof DatabaseSync> | null = null;
  try {
    db = new DatabaseSync(file, { readOnly: true });
    db.prepare('SELECT count(*) FROM sqlite_master').get();
    return false;
  } catch {
    return true;
  } finally {
    db?.close();
  }
}
