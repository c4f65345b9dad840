import { afterEach, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { Outages } from '../../../app/engines/outages';
import { keepingLogger } from '../../support/log-lines';

const server = 'MongoDB at m.example:27017 (MONGODB_URL)';
const GONE = `${server} does not respond. Nothing works. Check that it is running and reachable from this machine.`;
const BACK = /^MongoDB at m\.example:27017 \(MONGODB_URL\) responds again after \d+ s\.$/;

const opened: Outages[] = [];
afterEach(() => opened.splice(0).forEach((outages) => outages.stop()));

/** A server that answers, refuses or is silent, as it is told. */
function watched() {
  const logger = keepingLogger();
  const state = { now: 'up' as 'up' | 'refuses' | 'silent', asked: 0 };
  let answer = (): void => undefined;
  const outages = new Outages({ logger, every: 5, limit: 50 });
  opened.push(outages);
  const ask = async (): Promise<void> => {
    state.asked += 1;
    if (state.now === 'refuses') throw new Error('connect ECONNREFUSED\nand more');
    if (state.now === 'silent') await new Promise<void>((resolve) => (answer = resolve));
  };
  outages.add({ server, meanwhile: 'Nothing works.', ask });
  const until = async (holds: () => boolean): Promise<void> => {
    while (!holds()) await pause(2);
  };
  return { logger, state, outages, until, thaw: () => answer() };
}

describe('outages of servers', () => {
  it('one line when a server goes, with which, where, why and what to do; one when it is back; for each time it goes', async () => {
    const { logger, state, outages, until } = watched();
    outages.start();
    await until(() => state.asked > 2);
    for (const round of [1, 2]) {
      state.now = 'refuses';
      const asked = state.asked;
      await until(() => state.asked > asked + 1);
      expect(outages.explain()).toBe(true);
      state.now = 'up';
      await until(() => logger.lines.length === 2 * round);
      expect(outages.explain()).toBe(true);
    }
    const [gone, back] = logger.lines;
    expect(gone).toEqual({ level: 'warn', facts: { reason: 'connect ECONNREFUSED' }, text: GONE });
    expect(back).toMatchObject({ level: 'info', text: expect.stringMatching(BACK) as unknown });
    expect(back!.facts.gone_ms).toBeGreaterThan(0);
  });

  it('a server that is silent is gone, and is asked once until it speaks', async () => {
    const { logger, state, outages, until, thaw } = watched();
    outages.start();
    state.now = 'silent';
    await until(() => outages.explain());
    const asked = state.asked;
    expect(await outages.suspect()).toBe(true);
    expect(state.asked).toBe(asked);
    state.now = 'up';
    thaw();
    await until(() => logger.lines.length === 2);
    expect(logger.at('warn', 'error')).toEqual([GONE]);
    expect(logger.lines[0]!.facts).toEqual({ reason: 'no answer within 50 ms' });
  });

  it('a suspicion is looked into at once; many at the same time are one look', async () => {
    const { logger, state, outages } = watched();
    expect(await outages.suspect()).toBe(false);
    state.now = 'refuses';
    state.asked = 0;
    expect(await Promise.all(Array.from({ length: 100 }, () => outages.suspect()))).toEqual(Array(100).fill(true));
    expect(state.asked).toBe(1);
    expect(logger.at('warn')).toEqual([GONE]);
  });

  it('says nothing once it is stopped', async () => {
    const { logger, state, outages } = watched();
    outages.start();
    outages.stop();
    state.now = 'refuses';
    await outages.suspect();
    await pause(20);
    expect(logger.lines).toEqual([]);
  });
});
