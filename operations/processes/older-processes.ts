import { SECOND } from '../../lib/clock';
import type { LeaseStore } from '../../stores/ports/lease-store';
import type { SettingsStore } from '../../stores/ports/settings-store';
import { PROCESS_LEASES } from './process-register';
import type { AgreedProcess } from './agreed-settings';

/** Longer than a process keeps on writing after the last renewal of its lease, ms of real time. */
const SILENT_FOR = 12 * SECOND;

/** A process with a lease, and what it said of itself. */
export interface LeasedProcess {
  lease: string;
  /** By its own clock, ms. */
  expiresAt: number;
  /** `dispatch on mail1, process 4711` */
  name: string;
  /** Null: of a release that did not say so. */
  release: string | null;
  schema: number | null;
}

export interface ProcessStores {
  settings: Pick<SettingsStore, 'get'>;
  leases: Pick<LeaseStore, 'list'>;
}

/** Every process that has not given its lease back; its lease may have expired. */
export async function leasedProcesses({ settings, leases }: ProcessStores): Promise<LeasedProcess[]> {
  const held = await leases.list();
  const register = ((await settings.get('processes')) ?? {}) as Readonly<Record<string, AgreedProcess>>;
  return held.flatMap(({ name, owner, expiresAt }) => {
    const lease = name.slice(PROCESS_LEASES.length);
    if (!name.startsWith(PROCESS_LEASES) || owner !== lease) return [];
    const process = register[lease];
    return [
      {
        lease,
        expiresAt,
        name: process?.name ?? `an unnamed process with the lease ${lease}`,
        release: process?.release ?? null,
        schema: process?.schema ?? null,
      },
    ];
  });
}

/** `api on web1, process 12 (kurir 0.1.0)` */
export const describeProcess = ({ name, release }: Pick<LeasedProcess, 'name' | 'release'>): string =>
  `${name} (${release === null ? 'an older release' : `kurir ${release}`})`;

/** True when it writes what a schema step would have to migrate. */
export const isOlder = (process: LeasedProcess, schema: number): boolean => (process.schema ?? 0) < schema;

/**
 * Finds the processes of an older schema that live. No clock is trusted, ours or theirs: a process is dead once it gave
 * its lease back, or did not renew it while this was watching.
 */
export class OlderProcesses {
  /** By lease: when it was last renewed by its own clock, and since when this has seen that, by the monotonic clock. */
  private readonly seen = new Map<string, { expiresAt: number; since: number }>();

  /** `schema` is the one that is wanted; `monotonic` is real time that no one sets, ms. */
  constructor(
    private readonly stores: ProcessStores,
    private readonly schema: number,
    private readonly monotonic = (): number => performance.now(),
  ) {}

  /** Those that live, or may: call it again until there is none. */
  async look(): Promise<LeasedProcess[]> {
    const older = (await leasedProcesses(this.stores)).filter((process) => isOlder(process, this.schema));
    return older.filter((process) => !this.isSilent(process));
  }

  private isSilent({ lease, expiresAt }: LeasedProcess): boolean {
    const now = this.monotonic();
    const before = this.seen.get(lease);
    if (before?.expiresAt === expiresAt) return now - before.since >= SILENT_FOR;
    this.seen.set(lease, { expiresAt, since: now });
    return false;
  }
}
