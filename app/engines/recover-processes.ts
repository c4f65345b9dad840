import { randomUUID } from 'node:crypto';
import { changeInDoubt } from '../../consumers/change-in-doubt';
import { MINUTE, SECOND } from '../../lib/clock';
import { wentSilent, type Outcome } from '../../domain/messages/lifecycle';
import type { Message } from '../../domain/messages/message';
import type { Lease } from '../../stores/ports/lease-store';
import { WorkerLoop } from '../../lib/worker-loop';
import type { Part } from '../core/part';
import { PROCESS_LEASES } from '../../operations/processes/process-register';
import type { RecoveryDeps } from './recovery';

/** Real time between checks. */
const LOOK_EVERY = 2_000;
/** Allowance for clocks of machines that differ a little, ms. */
const GRACE = 3 * SECOND;
/** How long one process may take to settle what another left, ms; then another process tries. */
const TTL = MINUTE;
const MAX = 10_000;
const AT_ONCE = 50;

/**
 * Settles hand-offs past the fence whose process has ended. They are over, and only evidence can show how they ended
 * (docs/architecture.md#the-fence-and-evidence). Any number of processes may run this; the lease of the dead process
 * decides which one does it.
 */
export function recoverProcessesPart(deps: RecoveryDeps): Part {
  const loop = new WorkerLoop({
    iterate: async () => {
      await recoverProcesses(deps);
      return LOOK_EVERY;
    },
    onError: (err) => deps.logger.warn({ err }, 'hand-offs of stopped processes could not be settled; trying again'),
    backoff: { first: LOOK_EVERY },
  });
  return {
    name: 'recovery of processes',
    start: async () => loop.start(),
    stop: () => loop.stop(),
  };
}

/** Settles what processes with an expired lease left behind. Returns the number of those processes. */
export async function recoverProcesses(deps: RecoveryDeps): Promise<number> {
  const { engine, clock } = deps;
  const { leases } = engine.stores;
  const isOver = ({ name, owner, expiresAt }: Lease): boolean =>
    name.startsWith(PROCESS_LEASES) && (owner === null || expiresAt + GRACE <= clock.now());
  let recovered = 0;
  for (const { name } of (await leases.list()).filter(isOver)) {
    const owner = `recovery ${randomUUID()}`;
    // From here on that process cannot renew the lease, in case it was only frozen.
    const epoch = await leases.acquire(name, owner, clock.now(), TTL);
    if (epoch === null) continue;
    await settle(deps, name.slice(PROCESS_LEASES.length));
    await leases.remove(name, owner, epoch);
    recovered += 1;
  }
  return recovered;
}

async function settle({ engine, clock, config, logger }: RecoveryDeps, lease: string): Promise<void> {
  const { deadlines } = engine.stores;
  const rule = (message: Message, resend: boolean): Outcome | null =>
    message.fence?.startsWith(`${lease}.`) ? wentSilent(message, clock.now(), config.evidenceWait, resend) : null;
  const ids = await deadlines.pastFence(MAX);
  let settled = 0;
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const changed = await Promise.all(some.map((id) => changeInDoubt(engine.stores, id, rule)));
    settled += changed.filter(Boolean).length;
  }
  if (settled === 0) return;
  logger.warn({ messages: settled, lease }, 'a process stopped during hand-offs past the fence; waiting for evidence');
}
