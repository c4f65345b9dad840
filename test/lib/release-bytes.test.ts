import { describe, expect, it } from '@jest/globals';
import { transformFileSync } from '@swc/core';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { releaseBytes } from '../../lib/release-bytes';

const LARGE = 200_000_000;

/** Prints how much less memory the process has after the release, in bytes. */
const SCRIPT = `
  const bytes = Buffer.allocUnsafeSlow(${LARGE}).fill(1);
  const before = process.memoryUsage.rss();
  exports.releaseBytes([bytes]);
  const given = () => before - process.memoryUsage.rss();
  const look = (left) => {
    if (given() > ${LARGE / 2} || left === 0) console.log(given());
    else setTimeout(look, 10, left - 1);
  };
  look(500);
`;

describe('releasing bytes', () => {
  // In a process of its own: that of the tests has run other files, and its memory is not only this test's.
  it('gives memory back without a collection', () => {
    const { code } = transformFileSync(join(__dirname, '../../lib/release-bytes.ts'), {
      jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
      module: { type: 'commonjs' },
    });
    const printed = execFileSync(process.execPath, ['-e', code + SCRIPT], { encoding: 'utf8' });
    expect(Number(printed)).toBeGreaterThan(LARGE / 2);
  });

  it('works over and over, and leaves alone what shares its memory, or is empty', () => {
    const whole = Buffer.allocUnsafeSlow(10).fill(7);
    const part = whole.subarray(2, 5);
    for (let times = 0; times < 1_000; times += 1) releaseBytes([part, Buffer.alloc(0), Buffer.allocUnsafeSlow(1)]);
    expect([whole.length, part.length]).toEqual([10, 3]);
    releaseBytes([whole]);
    expect(part).toHaveLength(0);
  });
});
