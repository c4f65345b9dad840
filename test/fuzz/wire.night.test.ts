import { expect, it } from '@jest/globals';
import { EVERYTHING } from '../support/everything';
import { fuzzWire } from './wire/play';

/** `npm run fuzz -- --wire 50000` plays more. */
const INPUTS = EVERYTHING ? 4_000 : 600;

// spec: docs/contract.md#relay-lines: any input, any split
it('random sessions with the SMTP relay: no smuggled mail, and no split matters', async () => {
  const counts = await fuzzWire({ seed: 20_261_122, inputs: INPUTS });
  expect(counts.inputs).toBe(INPUTS);
  expect(counts.mails).toBeGreaterThan(INPUTS / 4);
  expect(counts.closed).toBeGreaterThan(INPUTS / 10);
});
