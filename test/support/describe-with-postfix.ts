import { describe, it } from '@jest/globals';
import { whyNoPostfix } from '../../proof/crash/postfix/postfix';

/** A `describe` for a real Postfix. Where none can run, the block becomes one skipped test that says so. */
export function describeWithPostfix(title: string, body: () => void): void {
  const why = whyNoPostfix();
  describe(title, () => {
    if (why === null) body();
    else it.skip(`was not run: ${why}`, () => undefined);
  });
}
