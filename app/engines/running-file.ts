import { DatabaseSync } from '@photostructure/sqlite';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDurably } from './data-dir';

/** Where a running service really listens, since ports may be chosen by the system. */
export interface RunningService {
  pid: number;
  version: string;
  /** ms */
  startedAt: number;
  /** Base of the API; ends with `/v1`. */
  baseUrl: string;
  /** By name: `http`, `bounce`, `sandbox` where there is one. */
  ports: Readonly<Record<string, number>>;
}

const FILE = 'running.json';

/** Says in the data dir where this service listens; the file counts only while the lock of the data dir is held. */
export function announceRunning(dataDir: string, service: RunningService): { withdraw(): void } {
  const file = join(dataDir, FILE);
  writeDurably(file, `${JSON.stringify(service)}\n`);
  return { withdraw: () => rmSync(file, { force: true }) };
}

/** The service on this data dir: null while none runs; `unknown` while one starts and has not said where it listens. */
export function findRunning(dataDir: string): RunningService | 'unknown' | null {
  if (!isLocked(join(dataDir, 'lock'))) return null;
  try {
    return JSON.parse(readFileSync(join(dataDir, FILE), 'utf8')) as RunningService;
  } catch {
    return 'unknown';
  }
}

/** Asks for a shared lock for an instant, which the exclusive one of a running service refuses. */
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
