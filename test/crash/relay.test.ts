import { expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { runRelayKills } from '../../crash/relay-kills';
import { HOUR, MINUTE } from '../../lib/clock';
import { EVERYTHING } from '../support/everything';

const LOST_ANSWERS = EVERYTHING ? 200 : 6;

it('killed between the final dot and the 250 of a mail that is sent again: nothing is lost, nothing is twice', async () => {
  const seed = randomInt(1, 1_000_000);
  const { taken, mails, madeBefore, ...result } = await runRelayKills({
    program: join(__dirname, '../../dist/crash.js'),
    seed,
    lostAnswers: LOST_ANSWERS,
    steps: { every: 100, small: MINUTE, smallOnes: 12, large: 4 * HOUR },
    progress: () => undefined,
  });
  expect({ seed, ...result }).toMatchObject({
    seed,
    lostAnswers: LOST_ANSWERS,
    lost: [],
    doubled: [],
    coinsWrong: [],
    differences: [],
  });
  expect(mails).toBeGreaterThanOrEqual(LOST_ANSWERS);
  expect(taken).toBeGreaterThan(0);
  // Both sides of the commit are met; a few kills may all fall on one.
  if (EVERYTHING) expect(madeBefore).toBeGreaterThan(10);
  if (EVERYTHING) expect(madeBefore).toBeLessThan(190);
}, 1_800_000);
