import { describe, expect, it } from '@jest/globals';
import {
  NO_FORM_AUTO_PAUSE,
  noteFormBounce,
  resumeForm,
  type FormAutoPause,
} from '../../../domain/contacts/form-auto-pause';
import { DAY, HOUR } from '../../../lib/clock';
import { TEST_START } from '../../support/clock';

const bounce = (n: number, at = TEST_START + n) => ({ messageId: `m${n}`, at });
const after = (brake: FormAutoPause, bounces: { messageId: string; at: number }[]): FormAutoPause =>
  bounces.reduce(noteFormBounce, brake);

describe('the brake of a form', () => {
  // spec: docs/contract.md#double-opt-in: the brake of a form
  it('pauses at the fifth hard bounce within 24 hours', () => {
    const four = after(
      NO_FORM_AUTO_PAUSE,
      [1, 2, 3, 4].map((n) => bounce(n)),
    );
    expect(four.pausedAt).toBeNull();
    expect(noteFormBounce(four, bounce(5)).pausedAt).toBe(TEST_START + 5);
  });

  it('counts a message once, and lets go on who bounces five times in two days', () => {
    const repeated = after(
      NO_FORM_AUTO_PAUSE,
      [1, 1, 1, 1, 1, 1].map((n) => bounce(n)),
    );
    expect(repeated).toMatchObject({ pausedAt: null, bounces: [bounce(1)] });
    const slow = [0, 1, 2, 3, 4, 5, 6, 7].map((n) => bounce(n, TEST_START + n * (DAY / 4 + HOUR)));
    expect(after(NO_FORM_AUTO_PAUSE, slow).pausedAt).toBeNull();
  });

  it('counts reports that come in any order alike', () => {
    const bounces = [1, 2, 3, 4, 5].map((n) => bounce(n));
    expect(after(NO_FORM_AUTO_PAUSE, [...bounces].reverse())).toEqual(after(NO_FORM_AUTO_PAUSE, bounces));
  });

  it('counts from a resumption on, not what bounced before', () => {
    const resumed = resumeForm(TEST_START + 100);
    expect(
      after(
        resumed,
        [1, 2, 3, 4, 5].map((n) => bounce(n)),
      ),
    ).toBe(resumed);
    expect(
      after(
        resumed,
        [101, 102, 103, 104, 105].map((n) => bounce(n)),
      ).pausedAt,
    ).toBe(TEST_START + 105);
  });

  it('keeps no more than it counts once it has paused', () => {
    const paused = after(
      NO_FORM_AUTO_PAUSE,
      [1, 2, 3, 4, 5].map((n) => bounce(n)),
    );
    expect(noteFormBounce(paused, bounce(6))).toBe(paused);
  });
});
