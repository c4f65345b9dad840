import { describe, expect, it } from '@jest/globals';
import { lostFor, Standby } from '../../../app/cluster-settings/standby';
import { sleep } from '../../../lib/sleep';

async function waitFor(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(2);
}

/** A process whose reason a test sets; `calls` is what its log was asked for. */
function open() {
  const state = { reason: null as string | null, calls: [] as string[], told: [] as string[] };
  const standby = new Standby({
    reasons: [() => null, () => state.reason],
    log: {
      suspend: async () => void state.calls.push('suspend'),
      resume: () => void state.calls.push('resume'),
    },
    logger: {
      info: (_, text) => void state.told.push(text),
      warn: (_, text) => void state.told.push(text),
    },
    every: 5,
  });
  return { state, standby };
}

describe('a process on standby', () => {
  it('leaves its groups once while it may not act, and joins again once it may', async () => {
    const { state, standby } = open();
    const part = standby.part();
    await part.start();
    expect([standby.mayAct(), state.calls]).toEqual([true, []]);
    state.reason = 'the clock is wrong';
    expect([standby.mayAct(), standby.reason()]).toEqual([false, 'the clock is wrong']);
    await waitFor(() => state.calls.length === 1);
    state.reason = null;
    await waitFor(() => state.calls.length === 2);
    await part.stop();
    expect(state.calls).toEqual(['suspend', 'resume']);
    expect(state.told).toHaveLength(3);
  });

  it('that may not act from the start has left before anything joins', async () => {
    const { state, standby } = open();
    state.reason = 'the clock is wrong';
    const part = standby.part();
    await part.start();
    expect(state.calls).toEqual(['suspend']);
    await part.stop();
  });
});

it('a lease that was lost is a reason only after a while, and none when it is held again', () => {
  const state = { held: true, now: 0 };
  const reason = lostFor(
    20,
    () => state.held,
    () => state.now,
  );
  const at = (now: number, held: boolean): boolean => {
    Object.assign(state, { now, held });
    return reason() !== null;
  };
  expect([
    at(0, true),
    at(10, false),
    at(29, false),
    at(30, false),
    at(31, true),
    at(40, false),
    at(59, false),
  ]).toEqual([false, false, false, true, false, false, false]);
});
