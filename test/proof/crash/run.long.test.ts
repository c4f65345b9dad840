import { describe, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { runCrash } from '../../../proof/crash/run';
import { EVERYTHING } from '../../support/everything';

const [MESSAGES, KILLS] = EVERYTHING ? [96, 24] : [34, 4];

describe('npm run crash, in small', () => {
  // spec: docs/contract.md#at-most-one-hand-off: handed over at most once, also when no answer came
  it('kills the service at random moments, and nothing is lost, doubled or wrongly paid', async () => {
    const seed = randomInt(1, 1_000_000);
    const { took, taken, ...result } = await runCrash({
      program: join(__dirname, '../../../dist/crash.js'),
      seed,
      messages: MESSAGES,
      workspaces: 4,
      every: 1,
      mostKills: KILLS,
      pace: 16,
      progress: () => undefined,
    });
    expect({ seed, ...result }).toMatchObject({
      seed,
      counts: { messages: MESSAGES },
      lost: [],
      doubled: [],
      coinsWrong: [],
      differences: [],
    });
    expect(result.kills).toBeGreaterThan(1);
    expect(taken).toBeGreaterThan(MESSAGES / 2);
  }, 600_000);
});
