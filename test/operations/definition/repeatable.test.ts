import { describe, expect, it } from '@jest/globals';
import { repeatable } from '../../../operations/definition/repeatable';
import { UnavailableError } from '../../../lib/errors';

describe('what happens once under its reference', () => {
  it('answers its outcome', async () => {
    expect(await repeatable('INV-1', Promise.resolve('posted'))).toBe('posted');
  });

  it('names the reference to repeat it with when nobody knows', async () => {
    const lost = repeatable('INV 1', Promise.reject(new UnavailableError('MongoDB did not say whether it committed.')));
    await expect(lost).rejects.toMatchObject({
      code: 1,
      message: 'It is not certain whether this was done: MongoDB did not say whether it committed.',
      fix: 'Run it again with --reference "INV 1": it happens once.',
    });
  });

  it('leaves any other error alone', async () => {
    const bug = new TypeError('a bug');
    await expect(repeatable('INV-1', Promise.reject(bug))).rejects.toBe(bug);
  });
});
