import { describe, expect, test } from '@jest/globals';
import { judgeCampaign } from '../../../domain/campaigns/auto-pause';
import type { AutoPauseMark } from '../../../domain/campaigns/campaign-run';

/** Judges after every step of a course; returns where it stopped, or null. */
function play(course: readonly AutoPauseMark[], percent = 8): { at: AutoPauseMark; bad: number; of: number } | null {
  let marks: readonly AutoPauseMark[] = [];
  for (const at of course) {
    const judgement = judgeCampaign(marks, at, percent);
    if (judgement.stop) return { at, ...judgement.stop };
    marks = judgement.marks;
    expect(marks.length).toBeLessThan(30);
  }
  return null;
}

/** From 0 to `to` final messages, one at a time; `bad` says how many of them are bad. */
const upTo = (to: number, bad: (final: number) => number): AutoPauseMark[] =>
  Array.from({ length: to + 1 }, (_, final) => ({ final, bad: bad(final) }));

describe('the brake of a campaign', () => {
  // spec: docs/contract.md#the-brake: 8 % of the first 500, then of the last 2,000
  test('stops when more than 8 % of the first 500 are bad, as soon as that is certain', () => {
    expect(play(upTo(500, (final) => final))).toEqual({ at: { final: 41, bad: 41 }, bad: 41, of: 41 });
    expect(play(upTo(500, (final) => Math.min(final, 40)))).toBeNull();
  });

  // spec: docs/contract.md#the-brake: 8 % of the first 500, then of the last 2,000
  test('later judges the last 2,000', () => {
    // 5 % for long, then every fifth.
    const course = upTo(9_000, (final) => Math.floor(final / 20) + Math.floor(Math.max(0, final - 5_000) / 5));
    const stop = play(course);
    expect(stop?.at.final).toBeGreaterThan(5_200);
    expect(stop?.at.final).toBeLessThan(5_600);
    expect(stop?.of).toBeLessThanOrEqual(2_101);
    expect(play(upTo(9_000, (final) => Math.floor(final * 0.079)))).toBeNull();
  });

  test('0 percent: never', () => {
    expect(
      play(
        upTo(500, (final) => final),
        0,
      ),
    ).toBeNull();
  });

  test('begins where it is first asked: nothing before counts', () => {
    const course = upTo(400, (final) => 300 + Math.floor(final / 20)).map(({ final, bad }) => ({
      final: final + 300,
      bad,
    }));
    expect(play(course)).toBeNull();
  });
});
