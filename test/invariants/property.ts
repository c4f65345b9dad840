import fc from 'fast-check';
import { auditOf, violations } from './check';
import { schedules, type Schedule } from './operations';
import { Rig } from './rig';

/** What a run covered, so that a test can check that it did real work. */
export interface Coverage {
  messages: number;
  taken: number;
  crashes: number;
  /** Webhook requests. */
  webhooks: number;
}

/** Runs a schedule, waits until everything is idle, and returns the violated invariants. */
async function broken({ cap, operations }: Schedule, coverage: Coverage): Promise<string[]> {
  const rig = await Rig.open({ cap });
  try {
    for (const operation of operations) await rig.play(operation);
    await rig.drain();
    const found = await violations(rig);
    coverage.messages += rig.accepted.size;
    coverage.taken += rig.mta.taken.size;
    coverage.crashes += rig.crashes;
    coverage.webhooks += [...rig.hooks.begun.values()].flat().length;
    await rig.close();
    return [...found, ...(await auditOf(rig))];
  } finally {
    await rig.close().catch(() => undefined);
    rig.remove();
  }
}

/** Runs random schedules; rejects with the seed, the path and the smallest schedule found that breaks an invariant. */
export async function holdInvariants(parameters: { seed: number; runs: number; each?: () => void }): Promise<Coverage> {
  const coverage: Coverage = { messages: 0, taken: 0, crashes: 0, webhooks: 0 };
  const property = fc.asyncProperty(schedules, async (schedule) => {
    const found = await broken(schedule, coverage);
    parameters.each?.();
    if (found.length > 0) throw new Error(found.join('\n'));
  });
  await fc.assert(property, { seed: parameters.seed, numRuns: parameters.runs });
  return coverage;
}
