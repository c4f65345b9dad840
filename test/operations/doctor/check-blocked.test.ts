import { expect, test } from '@jest/globals';
import { checkBlocked } from '../../../operations/doctor/check-blocked';
import type { StoredRefusal } from '../../../stores/ports/bounce-store';
import type { Stores } from '../../../stores/ports';
import { TEST_START } from '../../support/clock';

const refusal = (n: number, change: Partial<StoredRefusal> = {}): StoredRefusal => ({
  domainId: 1,
  to: `a${n}@gmail.com`,
  reason: '421 4.7.0 very low reputation of the sending domain. See https://support.google.com/mail/?p=BlockedMessage',
  at: TEST_START,
  ...change,
});
const many = (n: number, change: Partial<StoredRefusal> = {}) =>
  Array.from({ length: n }, (_, i) => refusal(i, change));

const check = (refusals: StoredRefusal[]) =>
  checkBlocked(
    {
      bounces: { refusals: async () => refusals },
      domains: { get: async () => ({ domain: 'toko.example' }) },
    } as unknown as Pick<Stores, 'bounces' | 'domains'>,
    TEST_START,
  );

test('ten blocked reports a day for one domain and provider are named with its words and link', async () => {
  expect(await check(many(10))).toEqual([
    {
      check: 'blocked sender',
      status: 'note',
      detail: expect.stringMatching(/^toko\.example: Google blocked 10 emails in one day: "421 .*support\.google\.com/),
    },
  ]);
});

test('nine are not, nor ten of two providers', async () => {
  expect(await check(many(9))).toEqual([]);
  expect(await check([...many(5), ...many(5, { to: 'a@yahoo.co.id', reason: '553 blocked' })])).toEqual([]);
});

test("a provider is known by the recipient's domain too, with its page; any other by its domain", async () => {
  const [yahoo] = await check(many(10, { to: 'a@yahoo.co.id', reason: '553 blocked' }));
  expect(yahoo?.detail).toBe(
    'toko.example: Yahoo blocked 10 emails in one day: "553 blocked" See https://senders.yahooinc.com/',
  );
  const [other] = await check(many(10, { to: 'a@surat.example', reason: '553 blocked' }));
  expect(other?.detail).toBe('toko.example: surat.example blocked 10 emails in one day: "553 blocked"');
});
