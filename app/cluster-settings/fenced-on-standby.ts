import type { Engine } from '../../stores/ports/engine';
import { wrapEngine } from '../../stores/wrappers/wrap-engine';

/**
 * The same engine for a process that may be on standby. While `mayAct` is false it acts on no time: no claim, no lease
 * of another, nothing that falls due, no record deleted for its age. The lease of the process itself is not taken
 * through this engine.
 */
export function fencedOnStandby(engine: Engine, mayAct: () => boolean): Engine {
  /** On standby it answers this instead. */
  const or =
    <O>(otherwise: O) =>
    <A extends unknown[], R>(work: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R | O> =>
      mayAct() ? work(...args) : otherwise;
  return wrapEngine(engine, {
    queue: { claim: or({ kind: 'fenced' as const }) },
    leases: { acquire: or(null), renew: or(false), renewAll: or(false) },
    deadlines: { overdue: or([]), unfenced: or([]), attachmentsExpired: or([]), nextDeadline: or(null) },
    dueTasks: { claim: or([]), nextDue: or(null) },
    setBack: { settle: or(0) },
    log: { trim: or(0) },
  });
}
