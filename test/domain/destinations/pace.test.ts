import { describe, expect, it } from '@jest/globals';
import {
  giveOut,
  isFree,
  NEW_PACE,
  paceOf,
  type Asked,
  type Pace,
  type PaceState,
} from '../../../domain/destinations/pace';
import type { Limits } from '../../../domain/destinations/destination-rules';
import { factorNow, fullPaceAt, NEW_DESTINATION } from '../../../domain/destinations/destination-state';
import { HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { TEST_START as NOW } from '../../support/clock';

const LIMITS = { perMinute: 600, perHour: null };
const NONE = { perMinute: null, perHour: null };
const PACE = paceOf(LIMITS, 1, 60);
const MANY = 10_000;

const ask = (pace: Pace, state: PaceState, more: Partial<Asked> = {}) =>
  giveOut(() => pace, state, { mails: 'transactional', count: MANY, unused: 0, stoppedUntil: null, now: NOW, ...more });

/** Takes all that is given every `step` ms; the times of the mails. */
function takeAll(pace: Pace, forMs: number, step: number): number[] {
  const times: number[] = [];
  let state: PaceState = NEW_PACE;
  for (let now = NOW; now < NOW + forMs; now += step) {
    const { body, answer } = ask(pace, { ...state, planned: NEW_PACE.planned }, { now, count: 100 });
    state = body;
    for (let n = 0; n < answer.count; n += 1) times.push(now);
  }
  return times;
}

const mostWithin = (times: readonly number[], span: number): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + span).length));

describe('a pace', () => {
  it.each([
    [600, 100],
    [600, 7_000],
    [10, 100],
    [7, 1_300],
    [1, 500],
  ])('of %i a minute never gives out more in any minute, and nearly all when asked every %i ms', (limit, step) => {
    const times = takeAll(paceOf({ ...LIMITS, perMinute: limit }, 1, 60), 5 * MINUTE, step);
    expect(mostWithin(times, MINUTE)).toBeLessThanOrEqual(limit);
    if (step < SECOND) expect(times.length).toBeGreaterThan(limit * 4.7);
  });

  it('keeps the limit of an hour beside that of a minute', () => {
    const times = takeAll(paceOf({ ...LIMITS, perMinute: 60, perHour: 300 }, 1, 60), 2 * HOUR, 500);
    expect(mostWithin(times, HOUR)).toBeLessThanOrEqual(300);
    expect(mostWithin(times, MINUTE)).toBeLessThanOrEqual(60);
    expect(times.length).toBeGreaterThan(550);
  });

  it('is a share of the limit, or of what is slowed from where there is none', () => {
    expect(takeAll(paceOf(LIMITS, 0.5, 60), MINUTE, 100).length).toBeLessThanOrEqual(300);
    expect(takeAll(paceOf(NONE, 0.5, 60), MINUTE, 100)).toHaveLength(30);
    expect(isFree(paceOf(NONE, 1, 60))).toBe(true);
  });

  it('gives out a part for what comes next, and takes back what did not go', () => {
    const first = ask(PACE, NEW_PACE, { count: 1 });
    expect(first.answer).toEqual({ count: 1, turns: [], stock: 1 });
    const all = ask(PACE, NEW_PACE);
    expect(ask(PACE, all.body).answer.count).toBe(0);
    expect(ask(PACE, all.body, { unused: 3 }).answer.count).toBe(3);
  });
});

describe('transactional mail', () => {
  it('has a part of each portion that campaigns leave', () => {
    const bulk = ask(PACE, NEW_PACE, { mails: 'bulk' });
    expect(ask(PACE, bulk.body, { mails: 'bulk' }).answer.count).toBe(0);
    expect(ask(PACE, bulk.body).answer.count).toBe(2);
  });

  it('that waits goes before all bulk mail', () => {
    const bulk = ask(PACE, NEW_PACE, { mails: 'bulk' });
    expect(bulk.body.planned.bulk).toBeGreaterThan(NOW + 15 * MINUTE);
    const used = ask(PACE, bulk.body, { count: 5 });
    expect(used.answer.turns[0]!).toBeLessThan(NOW + SECOND);
    const now = Math.ceil(used.answer.turns[0]!) + 110;
    expect(ask(PACE, used.body, { mails: 'bulk', now }).answer.count).toBe(0);
    expect(ask(PACE, used.body, { count: 1, now }).answer.count).toBe(1);
  });
});

describe('turns of mail that waits', () => {
  it('are at the pace, behind those that wait already, and not before the end of a stop', () => {
    const stoppedUntil = NOW + HOUR;
    const one = ask(PACE, NEW_PACE, { mails: 'bulk', count: 10, stoppedUntil });
    const { every } = PACE.minute!;
    expect(one.answer).toMatchObject({ count: 0, stock: 0 });
    expect(one.answer.turns).toHaveLength(10);
    expect(one.answer.turns[0]).toBe(NOW + HOUR);
    expect(one.answer.turns[9]).toBeCloseTo(NOW + HOUR + 9 * every, 1);
    const two = ask(PACE, one.body, { mails: 'bulk', stoppedUntil });
    expect(two.answer.turns[0]!).toBeCloseTo(NOW + HOUR + 10 * every, 1);
  });

  it('are at the pace that is in force by then', () => {
    const state = { ...NEW_DESTINATION, factor: 1 / 32, factorUntil: NOW + 30 * MINUTE, factorFor: 30 * MINUTE };
    const turnsOf = (limits: Limits): readonly number[] =>
      giveOut((at) => paceOf(limits, factorNow(state, at), 120), NEW_PACE, {
        mails: 'bulk',
        count: MANY,
        unused: 0,
        stoppedUntil: null,
        now: NOW,
      }).answer.turns;
    const full = fullPaceAt(state);
    expect(turnsOf(NONE).at(-1)! - full).toBeLessThan(MINUTE);
    const limited = turnsOf(LIMITS);
    expect(limited.at(-1)! - full).toBeLessThan((MANY / 600) * 1.1 * MINUTE);
    const slow = limited.filter((at) => at < NOW + 30 * MINUTE);
    expect(mostWithin(slow, MINUTE)).toBeLessThanOrEqual(Math.ceil(600 / 32));
  });
});
