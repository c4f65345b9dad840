import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { AddressSearch } from '../../../domain/addresses/address-search';
import { countContaining } from '../../../sandbox/count-containing';
import { countContents, emptyMailFile } from '../../../sandbox/empty-mail-file';
import {
  HookStore,
  KEPT_PER_HOOK,
  MAX_TEXT,
  UNVERIFIED_BODY,
  UNVERIFIED_PER_HOOK,
} from '../../../sandbox/hooks/hook-store';
import { MailFile } from '../../../sandbox/mail-file';
import { TEST_START } from '../../support/clock';
import { temporaryDir } from '../support';
import type { ArrivedRequest } from '../../../sandbox/hooks/hook-request';
import { arrived, payload } from './support';

const ALL = Number.MAX_SAFE_INTEGER;

let dir: ReturnType<typeof temporaryDir>;
let path: string;
let file: MailFile;
let hooks: HookStore;

const open = (): void => {
  file = new MailFile(path);
  hooks = new HookStore(file);
};
beforeEach(() => {
  dir = temporaryDir();
  path = join(dir.path, 'sandbox.sqlite');
  open();
});
afterEach(() => {
  file.close();
  dir.remove();
});

describe('a request', () => {
  test('is kept with its exact bytes, through a restart', async () => {
    const body = Buffer.from([0, 255, 254, 10, 0, 233]);
    expect(await hooks.keep(arrived({ body, answer: null }))).toEqual({ id: 1, attempt: 1 });
    file.close();
    open();
    expect(hooks.body('shop', 1)).toEqual(body);
    const { body: _bytes, ...facts } = arrived({ answer: null });
    expect(hooks.list('shop', 10, ALL)).toEqual([{ ...facts, id: 1, attempt: 1, size: 6, text: body.toString() }]);
  });

  test('with a webhook-id that came before is a further attempt, of this hook alone', async () => {
    const attempts = await Promise.all(
      [{}, {}, { webhookId: 'dlv2' }, { name: 'other' }, {}, { webhookId: null }, { webhookId: null }].map((fields) =>
        hooks.keep(arrived(fields)),
      ),
    );
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 1, 1, 3, 1, 1]);
  });

  test('with a large body has its beginning in lists', async () => {
    await hooks.keep(arrived({ body: Buffer.alloc(1_000_000, 'x') }));
    expect(hooks.list('shop', 1, ALL)).toMatchObject([{ size: 1_000_000, text: 'x'.repeat(MAX_TEXT) }]);
    expect(hooks.body('shop', 1)).toHaveLength(1_000_000);
  });

  test('is found under its own hook only', async () => {
    await hooks.keep(arrived());
    expect([hooks.body('other', 1), hooks.body('shop', 2), hooks.list('other', 1, ALL)]).toEqual([null, null, []]);
  });
});

describe('the lists', () => {
  test('go page by page, newest first', async () => {
    for (const name of ['a', 'b', 'a', 'a']) await hooks.keep(arrived({ name }));
    expect(hooks.list('a', 2, ALL).map(({ id }) => id)).toEqual([4, 3]);
    expect(hooks.list('a', 2, 3).map(({ id }) => id)).toEqual([1]);
    expect(hooks.list(null, 3, ALL).map(({ id, name }) => [id, name])).toEqual([
      [4, 'a'],
      [3, 'a'],
      [2, 'b'],
    ]);
  });

  test('name every hook with what it received, the newest first', async () => {
    await hooks.keep(arrived({ name: 'a' }));
    await hooks.keep(arrived({ name: 'b', receivedAt: TEST_START + 1 }));
    await hooks.keep(arrived({ name: 'a', receivedAt: TEST_START + 2, serviceSignature: 'invalid' }));
    await hooks.keep(arrived({ name: 'a', receivedAt: TEST_START + 3, standardSignature: 'stale' }));
    expect(hooks.hooks()).toEqual([
      { name: 'a', requests: 3, verified: 1, lastAt: TEST_START + 3 },
      { name: 'b', requests: 1, verified: 1, lastAt: TEST_START + 1 },
    ]);
  });
});

test('the newest 1,000 of each hook are kept, and attempts are still counted', async () => {
  await hooks.keep(arrived({ name: 'quiet' }));
  await Promise.all(Array.from({ length: KEPT_PER_HOOK + 20 }, () => hooks.keep(arrived())));
  expect([hooks.count('shop'), hooks.count('quiet')]).toEqual([KEPT_PER_HOOK, 1]);
  expect(hooks.list('shop', 1, ALL)).toMatchObject([{ attempt: KEPT_PER_HOOK + 20 }]);
  expect(hooks.list('shop', 1_000, ALL).at(-1)).toMatchObject({ id: 22, attempt: 21 });
});

test('of all hooks together 10,000 are kept', async () => {
  await hooks.keep(arrived({ name: 'first' }));
  const many = Array.from({ length: 10_000 }, (_, n) => hooks.keep(arrived({ name: `hook-${n % 20}` })));
  await Promise.all(many);
  expect(hooks.count('first')).toBe(0);
  expect(hooks.hooks().reduce((sum, { requests }) => sum + requests, 0)).toBe(10_000);
});

describe('of what does not verify', () => {
  const stranger = (fields: Partial<ArrivedRequest> = {}): ArrivedRequest =>
    arrived({ serviceSignature: 'invalid', standardSignature: 'missing', answer: 401, ...fields });

  test('4 kB of the body are kept, with the size of all of it', async () => {
    await hooks.keep(stranger({ body: Buffer.alloc(1_000_000, 'x') }));
    expect(hooks.body('shop', 1)).toHaveLength(UNVERIFIED_BODY);
    expect(hooks.list('shop', 1, ALL)).toMatchObject([{ size: 1_000_000, text: 'x'.repeat(UNVERIFIED_BODY) }]);
  });

  test('100 requests of a hook are kept, 1,000 of all, and they push out none that verifies', async () => {
    await hooks.keep(arrived());
    await Promise.all(Array.from({ length: UNVERIFIED_PER_HOOK + 20 }, () => hooks.keep(stranger())));
    expect(hooks.count('shop')).toBe(1 + UNVERIFIED_PER_HOOK);
    await Promise.all(Array.from({ length: 1_100 }, (_, n) => hooks.keep(stranger({ name: `any-${n}` }))));
    const kept = hooks.hooks();
    expect(kept.reduce((sum, { requests }) => sum + requests, 0)).toBe(1 + 1_000);
    expect(kept.find(({ name }) => name === 'shop')).toMatchObject({ requests: 1, verified: 1 });
  });
});

test('a search for an address counts the requests that hold it', async () => {
  await hooks.keep(arrived());
  await hooks.keep(arrived({ body: Buffer.from(payload({ to: null })) }));
  const search = new AddressSearch('siti@contoh.test');
  expect(await countContaining(path, search)).toEqual({ mails: 0, hookRequests: 1 });
});

test('emptying the sandbox deletes what its hooks received; no id is used twice', async () => {
  await Promise.all(Array.from({ length: 120 }, () => hooks.keep(arrived())));
  expect(countContents(path)).toMatchObject({ hookRequests: 120 });
  expect(await emptyMailFile(path, 'A', 99)).toEqual({ mails: 0, pendingReports: 0, hookRequests: 120, since: 99 });
  expect(hooks.hooks()).toEqual([]);
  expect(await hooks.keep(arrived())).toEqual({ id: 121, attempt: 1 });
});
