import { describe, expect, it } from '@jest/globals';
import { guarded } from '../../../../stores/mongodb/transactions/guard';
import { UnavailableError } from '../../../../lib/errors';

describe('a guarded port', () => {
  const port = {
    answers: (n: number) => Promise.resolve(n + 1),
    neverAnswers: () => new Promise<number>(() => {}),
    answersLate: () => new Promise<number>((resolve) => setTimeout(() => resolve(7), 60)),
  };

  it('ends a call that the client lost', async () => {
    const { answers, neverAnswers } = guarded(port, 20);
    expect(await answers(1)).toBe(2);
    await expect(neverAnswers()).rejects.toBeInstanceOf(UnavailableError);
  });

  it('waits for as long as it takes where it is told to', async () => {
    expect(await guarded(port, null).answersLate()).toBe(7);
  });
});
