/* eslint-disable kurir/test-limits -- short limits are what is tested */
import { beforeEach, expect, it } from '@jest/globals';
import { giveUpAt, limitFor, PATIENCE } from './limits';

let inHook = Infinity;
beforeEach(() => {
  inHook = giveUpAt() - performance.now();
}, 20_000);

it('a wait gives up after PATIENCE', () => {
  expect(Math.abs(giveUpAt() - performance.now() - PATIENCE)).toBeLessThan(10_000);
});

it('but before its test is ended, or its hook, so that the error says what was waited for', () => {
  const left = giveUpAt() - performance.now();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThanOrEqual(15_000);
  expect(inHook).toBeLessThanOrEqual(15_000);
}, 20_000);

it('and a wait that begins when its time is over looks once', () => {
  const now = performance.now();
  const ends = globalThis.kurirTestEnds;
  globalThis.kurirTestEnds = now - limitFor(1);
  const end = giveUpAt();
  globalThis.kurirTestEnds = ends;
  expect(end).toBeGreaterThanOrEqual(now);
});
