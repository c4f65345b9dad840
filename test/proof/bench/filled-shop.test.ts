import { afterAll, expect, it } from '@jest/globals';
import { rmSync } from 'node:fs';
import { fillFolder } from '../../../proof/bench/filled-shop';
import { auditOf } from '../../support/auditing';
import { temporaryDir } from '../../support/running';

const dataDir = temporaryDir();
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

it('the shop of the benches is data in which the audit finds nothing', async () => {
  const { furnished } = await fillFolder(dataDir, { messages: 5_000, contacts: 500, campaigns: 50 });
  expect(Object.values(furnished.ids)).not.toContain('undefined');
  const { summary, found } = await auditOf(dataDir);
  expect(found).toEqual([]);
  expect(summary.checked).toMatchObject({ messages: 5_000, campaigns: 50 });
  for (const what of ['idempotency_keys', 'days', 'engagement_rows'] as const)
    expect([what, summary.checked[what]]).not.toEqual([what, 0]);
});
