import { afterEach, describe, expect, it } from '@jest/globals';
import { WARMUP_STATES, WARMUPS, announceWarmups, listWarmupStates, Warmups } from '../../../operations/warmup/warmups';
import { stopWarmup } from '../../../operations/warmup/stop-warmup';
import { WarmupGate } from '../../../consumers/throttle/warmup-gate';
import { stateId } from '../../../domain/warmup/warmup-state';
import { DAY } from '../../../lib/clock';
import { openTemporary } from '../../contract/embedded/open';
import type { OpenedEngine } from '../../contract/harness';

let opened: OpenedEngine;
afterEach(() => opened.destroy());

async function setUp() {
  opened = await openTemporary();
  const { clock, engine } = opened;
  const { records } = engine.stores;
  const begin = async (domainId: number, server: string | null = null) => {
    const body = { domainId, server, volumes: [10, 20], startedAt: clock.now() };
    return (await records.add(WARMUPS, { id: `d${domainId}.test`, workspaceId: 1, body }, clock.now()))!;
  };
  const now = { real: 0 };
  const seen = { lists: 0 };
  const list: typeof records.list = (...query) => ((seen.lists += 1), records.list(...query));
  const get: typeof records.get = (...query) => records.get(...query);
  const warmups = new Warmups({ records: { get, list }, clock }, () => now.real);
  const after = async (ms: number) => {
    now.real += ms;
    await warmups.refresh();
    return seen.lists;
  };
  return { clock, stores: engine.stores, records, begin, warmups, after };
}

describe('the warm-ups that a process knows', () => {
  it('are read again when one was begun or ended, and anyway after a minute', async () => {
    const { clock, records, begin, warmups, after } = await setUp();
    expect(await after(0)).toBe(1);
    for (let n = 0; n < 10; n += 1) expect(await after(500)).toBe(1);
    await begin(1, 'new');
    expect(await after(500)).toBe(1);
    await announceWarmups(records, clock.now());
    expect(await after(499)).toBe(1);
    expect(await after(1)).toBe(2);
    expect([...(await warmups.servers())]).toEqual(['new']);
    await Promise.all([2, 3, 4].map(async (id) => (await begin(id), announceWarmups(records, clock.now()))));
    expect(await after(500)).toBe(3);
    expect([1, 2, 3, 4].map((id) => warmups.of(id)?.id)).toEqual(['d1.test', 'd2.test', 'd3.test', 'd4.test']);
    // Its process was killed before it could tell.
    await records.take(WARMUPS, 'd1.test', clock.now());
    expect(await after(59_999)).toBe(3);
    expect(warmups.of(1)).not.toBeNull();
    await after(500);
    expect(warmups.of(1)).toBeNull();
  });

  it('are all, however many', async () => {
    const { begin, warmups, after } = await setUp();
    for (let id = 1; id <= 1_001; id += 1) await begin(id);
    await after(0);
    expect([warmups.of(1), warmups.of(1_001)]).not.toContain(null);
  });
});

describe('what a warm-up has come to', () => {
  it('stays while it is not ended, with or without mail: a plan goes on, and a goal stays reached', async () => {
    const { clock, stores, records, begin } = await setUp();
    const warmup = await begin(1);
    const at = (destination: string) => ({ warmup, destination, mails: 'transactional' as const, now: clock.now() });
    const day = async (count: number, destination: string) => {
      clock.advance(DAY);
      return (await new WarmupGate(records).take(at(destination), count, 0)).count;
    };
    expect([await day(100, 'google'), await day(100, 'google'), await day(100, 'google')]).toEqual([10, 20, 100]);
    expect([await day(100, 'yahoo'), await day(5, 'yahoo')]).toEqual([10, 5]);
    clock.advance(400 * DAY);
    await records.trim(clock.now(), 100);
    expect([await day(100, 'google'), await day(100, 'yahoo')]).toEqual([100, 20]);
    expect(await listWarmupStates(records, 'd1.test', clock.now())).toHaveLength(2);
    await records.add(
      WARMUP_STATES,
      {
        id: stateId('d10.test', 'yahoo'),
        body: (await records.get(WARMUP_STATES, stateId('d1.test', 'yahoo'), clock.now()))!.body,
      },
      clock.now(),
    );
    await stopWarmup({ ...stores, rules: null, clock }, 'd1.test');
    expect(await listWarmupStates(records, 'd1.test', clock.now())).toEqual([]);
    expect(await listWarmupStates(records, 'd10.test', clock.now())).toHaveLength(1);
  });
});
