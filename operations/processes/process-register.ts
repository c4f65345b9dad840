import { UnavailableError } from '../../lib/errors';
import type { Lease, LeaseStore } from '../../stores/ports/lease-store';
import type { SettingsStore } from '../../stores/ports/settings-store';
import type { AgreedProcess } from './agreed-settings';

/** Prefix of the names of process leases. */
export const PROCESS_LEASES = 'process/';

/** The processes of an installation by the names of their leases, as kept in the store. */
type Register = Readonly<Record<string, AgreedProcess>>;

export interface RegisterView {
  settings: Pick<SettingsStore, 'get'>;
  leases: Pick<LeaseStore, 'list'>;
}
export interface RegisterStores extends RegisterView {
  settings: Pick<SettingsStore, 'get' | 'replace'>;
}

/** Everyone may write at once; then the others try again. */
const TRIES = 20;

/** What each running process shows the others. Entries whose lease is gone are dropped with the next write. */
export class ProcessRegister {
  constructor(private readonly stores: RegisterStores) {}

  /**
   * The processes whose lease has not expired at `now`, ms, by the names of their leases; and all leases. The second
   * argument: as read a moment ago.
   */
  async look(
    now: number,
    { settings, leases: store }: RegisterView = this.stores,
  ): Promise<{ living: Map<string, AgreedProcess>; leases: Lease[] }> {
    const register = ((await settings.get('processes')) ?? {}) as Register;
    const leases = await store.list();
    const names = leased(leases, now);
    return { living: new Map(Object.entries(register).filter(([lease]) => names.has(lease))), leases };
  }

  /** Writes the entry of a process under the name of its lease; null removes it. */
  async put(lease: string, process: AgreedProcess | null, now: number): Promise<void> {
    const names = leased(await this.stores.leases.list(), now);
    for (let tries = 0; tries < TRIES; tries += 1) {
      const stored = await this.stores.settings.get('processes');
      const others = Object.entries((stored ?? {}) as Register).filter(([name]) => name !== lease && names.has(name));
      const next = Object.fromEntries(process ? [...others, [lease, process]] : others);
      if (await this.stores.settings.replace('processes', stored, next)) return;
    }
    throw new UnavailableError('the process register could not be written');
  }
}

/** The names of the leases of processes that have not expired. */
function leased(leases: readonly Lease[], now: number): Set<string> {
  const living = leases.filter(
    ({ name, owner, expiresAt }) => name.startsWith(PROCESS_LEASES) && owner !== null && expiresAt > now,
  );
  return new Set(living.map(({ name }) => name.slice(PROCESS_LEASES.length)));
}
