import { UnavailableError } from '../../lib/errors';
import type { AnyMethod } from '../../lib/wrap-methods';
import type { Engine } from '../../stores/ports/engine';
import { wrapEveryPort } from '../../stores/wrappers/wrap-engine';
import type { RenewedProcessLease } from '../cluster-settings/renewed-process-lease';

/**
 * The same engine for a process that others may consider dead: once its lease has expired, as after a freeze, each call
 * first renews it, which fails when a newer release has changed the schema meanwhile
 * (docs/decisions/0059-schema-steps-wait-for-older-processes.md). While the lease is held it costs a comparison.
 */
export function fencedByLease(engine: Engine, lease: Pick<RenewedProcessLease, 'isCurrent' | 'renewNow'>): Engine {
  const renewed = async (method: AnyMethod, args: unknown[]): Promise<unknown> => {
    await lease.renewNow();
    // A renewal that was under way during the freeze began before its end, and is over already.
    if (!lease.isCurrent()) await lease.renewNow();
    if (!lease.isCurrent()) throw new UnavailableError('The lease of this process has expired.');
    return method(...args);
  };
  const fence =
    (method: AnyMethod): AnyMethod =>
    (...args) =>
      lease.isCurrent() ? method(...args) : renewed(method, args);
  return wrapEveryPort(engine, (port) => (port === 'log' ? undefined : fence));
}
