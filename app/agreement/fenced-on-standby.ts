import type { Engine } from '../../stores/ports/engine';

/**
 * The same engine for a process that may be on standby. While `mayAct` is false it acts on no time: no claim, no lease
 * of another, nothing that falls due, no record deleted for its age. The lease of the process itself is not taken
 * through this engine.
 */
export function fencedOnStandby(engine: Engine, mayAct: () => boolean): Engine {
  const { stores, log } = engine;
  const { queue, leases, deadlines, dueTasks } = stores;
  const orNone =
    <A extends unknown[], R>(work: (...args: A) => Promise<R[]>) =>
    async (...args: A): Promise<R[]> =>
      mayAct() ? work(...args) : [];
  return {
    stores: {
      ...stores,
      queue: {
        ...queue,
        claim: async (request) => (mayAct() ? queue.claim(request) : { kind: 'fenced' }),
      },
      leases: {
        ...leases,
        acquire: async (...args) => (mayAct() ? leases.acquire(...args) : null),
        renew: async (...args) => mayAct() && leases.renew(...args),
      },
      deadlines: {
        ...deadlines,
        overdue: orNone((now, limit) => deadlines.overdue(now, limit)),
        unfenced: orNone((leaseUntil, limit) => deadlines.unfenced(leaseUntil, limit)),
        attachmentsExpired: orNone((now, limit) => deadlines.attachmentsExpired(now, limit)),
        nextDeadline: async () => (mayAct() ? deadlines.nextDeadline() : null),
      },
      dueTasks: {
        ...dueTasks,
        claim: orNone((request) => dueTasks.claim(request)),
        nextDue: async (kind) => (mayAct() ? dueTasks.nextDue(kind) : null),
      },
    },
    log: { ...log, trim: async (...args) => (mayAct() ? log.trim(...args) : 0) },
    close: () => engine.close(),
  };
}
