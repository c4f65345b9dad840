import { describe, expect, test } from '@jest/globals';
import type { SuppressionReason } from '../../../domain/contacts/suppression';
import { aContact, aSuppression } from '../../support/builders';
import { aJourney, anEnrollment } from '../../support/marketing';
import { TestApi } from '../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

const EMAIL = 'budi@contoh.test';
const block = (body: object) => api.post('/v1/suppressions', account.key).send(body);
const list = async (query = '') => (await api.get(`/v1/suppressions${query}`, account.key)).body;
const unblock = (email: string) => api.ask('delete', `/v1/suppressions/${encodeURIComponent(email)}`, account.key);
const check = async (email = EMAIL) => (await api.get('/v1/suppressions', account.key).query({ email })).body;
const add = (reason: SuppressionReason, email: string, createdAt = api.clock.now(), messageId: string | null = null) =>
  api.stores.suppressions.add(
    aSuppression({
      workspaceId: reason === 'global' ? null : account.workspace.id,
      reason,
      addressHash: api.keyring.hashAddress(email),
      createdAt,
      messageId,
    }),
  );
const contact = (email = EMAIL) =>
  api.stores.contacts.ensure(aContact(account.workspace.id, { email, emailHash: api.keyring.hashAddress(email) }));
const URL_BASE = 'https://mail.example.com/v1/suppressions';

describe('POST /suppressions', () => {
  // spec: docs/contract.md#suppress-an-address: POST /suppressions: 201 with `reason: manual`
  test('201 with the reason manual: mail to the address is refused, in any spelling', async () => {
    const { status, body } = await block({ email: ' Budi@Contoh.test ' });
    expect([status, body]).toEqual([
      201,
      {
        email: EMAIL,
        address_hash: api.keyring.hashAddress(EMAIL),
        reason: 'manual',
        message_id: null,
        created_at: '2026-01-05T03:00:00.000000Z',
      },
    ]);
    expect(await check()).toMatchObject({ can_send: false, reason: 'manual' });
    expect((await api.send(account, { to: EMAIL })).body.code).toBe('recipient_suppressed');
  });

  // spec: docs/contract.md#suppress-an-address: one that is there stays as it is
  test('201: once more changes nothing', async () => {
    const first = await block({ email: EMAIL });
    api.clock.advance(60_000);
    const again = await block({ email: EMAIL });
    expect([again.status, again.body]).toEqual([201, first.body]);
    expect(await list()).toMatchObject({ total: 1 });
  });

  test('201: beside a hard bounce it is an entry of its own', async () => {
    await add('hard_bounce', EMAIL);
    expect((await block({ email: EMAIL })).body.reason).toBe('manual');
    expect(await check()).toMatchObject({ reason: 'hard_bounce' });
    expect(await list()).toMatchObject({ total: 2 });
  });

  // spec: docs/contract.md#suppress-an-address: the contact leaves its journeys
  test('the contact leaves its journeys at once', async () => {
    const journey = await api.stores.journeys.create(aJourney(account.workspace.id));
    const { email, emailHash, workspaceId } = await contact();
    await api.stores.journeyRuns.enroll(anEnrollment(journey, { email, emailHash, workspaceId, name: null, at: 1 }));
    await block({ email: EMAIL });
    expect(await api.stores.journeyRuns.list(journey, 0, 9)).toMatchObject([{ status: 'left', reason: 'suppressed' }]);
  });

  test.each([[{}], [{ email: '' }], [{ email: 'budi' }], [{ email: [EMAIL] }], [{ email: 7 }], [{ email: 'a@b@c' }]])(
    '422: %j',
    async (body) => {
      const answer = await block(body);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['email']]);
      expect(await list()).toMatchObject({ total: 0 });
    },
  );
});

describe('GET /suppressions without email', () => {
  // spec: docs/contract.md#list-of-suppressions: GET /suppressions without `email`: pages, newest first
  test('200: the pagination envelope, newest first; the address where a contact or the message has it', async () => {
    const { message_id: message } = (await api.send(account, { to: 'siti@contoh.test' })).body;
    await contact();
    const now = api.clock.now();
    await add('manual', EMAIL, now - 3);
    await add('hard_bounce', 'siti@contoh.test', now - 2, message);
    await add('complaint', 'hilang@contoh.test', now - 1);
    await add('global', 'semua@contoh.test');
    const body = await list();
    expect(body).toMatchObject({ total: 3, path: URL_BASE, first_page_url: `${URL_BASE}?page=1` });
    expect(body.data).toMatchObject([
      { email: null, reason: 'complaint', address_hash: api.keyring.hashAddress('hilang@contoh.test') },
      { email: 'siti@contoh.test', reason: 'hard_bounce', message_id: message },
      { email: EMAIL, reason: 'manual', message_id: null },
    ]);
  });

  // spec: docs/contract.md#list-of-suppressions: the address is not kept
  test('200: nothing of the address is left once its contact was deleted', async () => {
    const { id } = await contact();
    await block({ email: EMAIL });
    await api.ask('delete', `/v1/contacts/${id}`, account.key);
    expect((await list()).data).toMatchObject([{ email: null, reason: 'manual' }]);
    expect(await check()).toMatchObject({ can_send: false });
  });

  // spec: docs/contract.md#list-of-suppressions: `reason` filters
  test('200: by reason, and the links keep the filter', async () => {
    for (const reason of ['manual', 'hard_bounce', 'complaint'] as const) await add(reason, EMAIL);
    const body = await list('?reason=complaint');
    expect(body).toMatchObject({ total: 1, data: [{ reason: 'complaint' }] });
    expect(body.first_page_url).toBe(`${URL_BASE}?reason=complaint&page=1`);
  });

  test('200: 50 per page', async () => {
    for (let n = 0; n < 51; n += 1) await add('manual', `orang${n}@contoh.test`, api.clock.now() + n);
    const hashes = async (page: number): Promise<unknown[]> => {
      const items: readonly Record<string, unknown>[] = (await list(`?page=${page}`)).data;
      return items.map(({ address_hash: hash }) => hash);
    };
    const [first, second] = [await hashes(1), await hashes(2)];
    expect([first.length, second]).toEqual([50, [api.keyring.hashAddress('orang0@contoh.test')]]);
  });

  test('200: the list of another account is not shown', async () => {
    const other = await api.account();
    await api.post('/v1/suppressions', other.key).send({ email: EMAIL });
    expect(await list()).toMatchObject({ data: [], total: 0 });
  });

  test.each([
    ['reason=global', 'The reason field must be one of complaint, hard_bounce, manual.'],
    ['reason=spite', 'The reason field must be one of complaint, hard_bounce, manual.'],
    ['page=0', 'The page field must be at least 1.'],
  ])('422: %s', async (query, sentence) => {
    const { status, body } = await api.get(`/v1/suppressions?${query}`, account.key);
    expect([status, body.message]).toEqual([422, sentence]);
  });
});

describe('DELETE /suppressions/{email}', () => {
  // spec: docs/contract.md#delete-a-suppression: DELETE /suppressions/{email}: manual entries
  test('200: a manual entry, in any spelling; then 404', async () => {
    await block({ email: EMAIL });
    const answer = await unblock('BUDI@contoh.test');
    expect([answer.status, answer.body]).toEqual([200, { deleted: true }]);
    expect(await check()).toMatchObject({ can_send: true });
    expect((await unblock(EMAIL)).status).toBe(404);
  });

  test('200: the address may have a quoted local part with a slash', async () => {
    const email = '"budi/satu"@contoh.test';
    await block({ email });
    expect((await unblock(email)).status).toBe(200);
  });

  // spec: docs/contract.md#delete-a-suppression: others ask for the operator
  test.each([
    ['hard_bounce', (id: number) => `--workspace ${id}`],
    ['complaint', (id: number) => `--workspace ${id}`],
    ['global', () => '--global'],
  ] as const)('422: %s is removed by the operator, and the answer says how', async (reason, way) => {
    await add(reason, EMAIL);
    const { status, body } = await unblock(EMAIL);
    const text = `Only a manual entry can be deleted here, and this one has the reason ${reason}. The operator removes it: kurir suppress remove <email> ${way(account.workspace.id)}`;
    expect([status, body]).toEqual([422, { message: text, code: 'suppression_not_manual' }]);
    expect(await check()).toMatchObject({ reason });
    if (reason === 'global') await api.stores.suppressions.remove(null, api.keyring.hashAddress(EMAIL));
  });

  test('200: the manual entry goes, and the hard bounce beside it stays', async () => {
    await add('hard_bounce', EMAIL);
    await block({ email: EMAIL });
    expect((await unblock(EMAIL)).status).toBe(200);
    expect(await check()).toMatchObject({ reason: 'hard_bounce' });
  });

  // spec: docs/contract.md#delete-a-suppression: unknown: 404
  test('404: of another account, or no address', async () => {
    const other = await api.account();
    await api.post('/v1/suppressions', other.key).send({ email: EMAIL });
    for (const email of [EMAIL, 'budi', '%', '1']) expect((await unblock(email)).status).toBe(404);
    expect((await api.ask('delete', '/v1/suppressions/%ZZ@x.test', account.key)).status).toBe(404);
    expect((await api.get('/v1/suppressions', other.key).query({ email: EMAIL })).body.can_send).toBe(false);
  });
});
