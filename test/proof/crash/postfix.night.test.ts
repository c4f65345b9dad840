import { expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { whyNoPostfix } from '../../../proof/crash/postfix/postfix';
import { runPostfix } from '../../../proof/crash/postfix/run-postfix';
import { describeWithPostfix } from '../../support/describe-with-postfix';
import { EVERYTHING } from '../../support/everything';

/** KURIR_TEST_POSTFIX_KILLS sets another number. */
const KILLS = Number(process.env['KURIR_TEST_POSTFIX_KILLS'] ?? (EVERYTHING ? 12 : 3));

describeWithPostfix('before a real Postfix, with its log', () => {
  it('killed past the fence: no second hand-off, and the log settles every mail within minutes', async () => {
    expect(whyNoPostfix()).toBeNull();
    const seed = randomInt(1, 1_000_000);
    const { took, ...result } = await runPostfix({
      program: join(__dirname, '../../../dist/crash.js'),
      seed,
      kills: KILLS,
      progress: () => undefined,
    });
    expect({ seed, ...result }).toMatchObject({
      seed,
      mails: KILLS + 1,
      kills: KILLS,
      doubled: [],
      lost: [],
      coinsWrong: [],
      differences: [],
    });
    expect(took).toBeGreaterThan(0);
    // About half of the moments are before the final dot.
    if (KILLS >= 12) expect(result.queuedAgain).toBeGreaterThan(0);
  }, 3_600_000);
});
