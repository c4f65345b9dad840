import type { Engine } from '../../stores/ports/engine';

/**
 * The same engine for a process whose clock may be wrong. While `isRight` is false it acts on no time: no claim, no
 * lease of another, nothing that falls due, no record deleted for its age. The lease of the process itself is not taken
 * through this engine.
 */
export function fencedByClock(engine: Engine, isRight: () => boolean): Engine {
  const { stores, log } = engine;
  const { queue, leases, deadlines, dueTasks } = stores;
  const orNone =
    <A extends unknown[], R>(work: (...args: A) => Promise<R[]>) =>
    async (...args: A): Promise<R[]> =>
      isRight() ? work(...args) : [];
  return {
    stores: {
      ...stores,
      queue: {
        ...queue,
        claim: async (request) => (isRight() ? queue.claim(request) : { kind: 'fenced' }),
      },
      leases: {
        ...leases,
        acquire: async (...args) => (isRight() ? leases.acquire(...args) : null),
        renew: async (...args) => isRight() && leases.renew(...args),
      },
      deadlines: {
        ...deadlines,
        overdue: orNone((now, limit) => deadlines.overdue(now, limit)),
        unfenced: orNone((leaseUntil, limit) => deadlines.unfenced(leaseUntil, limit)),
        attachmentsExpired: orNone((now, limit) => deadlines.attachmentsExpired(now, limit)),
      },
      dueTasks: { ...dueTasks, claim: orNone((request) => dueTasks.claim(request)) },
    },
    log: { ...log, trim: async (...args) => (isRight() ? log.trim(...args) : 0) },
    close: () => engine.close(),
  };
}
