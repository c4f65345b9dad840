import { Faults } from '../../../stores/wrappers/faults';
import { faultyEngine } from '../../../stores/wrappers/faulty-engine';
import { openTemporary } from '../embedded/open';
import type { OpenedEngine } from '../harness';

const unexpected = (): never => {
  throw new Error('a plan without rules has no faults');
};

/** The embedded engine behind the fault-injection wrapper, without faults: every port must behave the same. */
export async function openWrapped(): Promise<OpenedEngine> {
  const inner = await openTemporary();
  const faults = new Faults([], { crash: unexpected, error: unexpected, pause: unexpected });
  return {
    engine: faultyEngine(inner.engine, faults),
    clock: inner.clock,
    reopen: async () => faultyEngine(await inner.reopen(), faults),
    ...(inner.records && { records: inner.records }),
    audit: () => inner.audit(),
    personalData: () => inner.personalData(),
    destroy: () => inner.destroy(),
  };
}
