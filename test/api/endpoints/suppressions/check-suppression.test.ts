import { describe, expect, test } from '@jest/globals';
import type { ContactStatus } from '../../../../domain/contacts/contact';
import type { SuppressionReason } from '../../../../domain/contacts/suppression';
import { aContact, aSuppression } from '../../../support/builders';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

const EMAIL = 'budi@contoh.test';
const check = (email: string) => api.get('/v1/suppressions', account.key).query({ email });
const suppress = (reason: SuppressionReason, email = EMAIL) =>
  api.stores.suppressions.add(
    aSuppression({
      workspaceId: reason === 'global' ? null : account.workspace.id,
      reason,
      addressHash: api.keyring.hashAddress(email),
    }),
  );
const contact = async (status: ContactStatus): Promise<void> => {
  const { id } = await api.stores.contacts.ensure(aContact(account.workspace.id, { email: EMAIL }));
  await api.stores.contacts.raiseStatus(account.workspace.id, id, status, api.clock.now());
};

describe('GET /suppressions?email=', () => {
  // spec: docs/contract.md#suppression-check: suppression check: email, can_send, reason null
  // spec: docs/contract.md#suppression-check: GET /suppressions?email=
  test('200: an address nobody knows can be sent to', async () => {
    const { status, body } = await check('Siapa@Contoh.test');
    expect(status).toBe(200);
    expect(body).toEqual({ email: 'Siapa@Contoh.test', can_send: true, reason: null });
  });

  test('200: asking makes no contact', async () => {
    await check(EMAIL);
    expect(await api.stores.contacts.find(account.workspace.id, EMAIL)).toBeNull();
  });

  // spec: docs/contract.md#suppression-check: suppression check: unsubscribed, bounced, complained
  test.each(['unsubscribed', 'bounced', 'complained'] as const)('200: the contact is %s', async (status) => {
    await contact(status);
    expect((await check(EMAIL)).body).toEqual({ email: EMAIL, can_send: false, reason: status });
  });

  // spec: docs/contract.md#suppression-check: suppression check: hard_bounce, complaint, manual
  test.each(['manual', 'hard_bounce', 'complaint'] as const)(
    '200: suppressed as %s, which comes before the contact',
    async (reason) => {
      await contact('unsubscribed');
      await suppress(reason);
      expect((await check(EMAIL)).body).toEqual({ email: EMAIL, can_send: false, reason });
    },
  );

  // spec: docs/contract.md#suppression-check: suppression check: hard_bounce, complaint, manual
  test('200: the strongest of several reasons: complaint before hard_bounce before manual', async () => {
    const seen: string[] = [];
    for (const reason of ['manual', 'hard_bounce', 'complaint'] as const) {
      await suppress(reason);
      seen.push((await check(EMAIL)).body.reason);
    }
    expect(seen).toEqual(['manual', 'hard_bounce', 'complaint']);
  });

  // spec: docs/contract.md#suppression-check: suppression check: global
  test('200: blocked for all senders of the service', async () => {
    await suppress('global', 'spamtrap@contoh.test');
    await suppress('complaint', 'spamtrap@contoh.test');
    expect((await check('SpamTrap@contoh.TEST')).body).toMatchObject({ can_send: false, reason: 'global' });
  });

  test('200: the list of another workspace is not ours', async () => {
    await suppress('manual');
    Object.assign(account, await api.account());
    expect((await check(EMAIL)).body.can_send).toBe(true);
  });

  // spec: docs/contract.md#suppression-check: GET /suppressions?email=
  test.each([
    ['budi', 'The email field must be a valid email address.'],
    [`${'x'.repeat(256)}@contoh.test`, 'The email field must not be greater than 255 characters.'],
  ])('422: email "%s"', async (email, sentence) => {
    const { status, body } = await check(email);
    expect([status, body]).toEqual([
      422,
      { message: sentence, code: 'validation_failed', errors: { email: [sentence] } },
    ]);
  });

  test('200: without email, or with an empty one, it is the list', async () => {
    for (const query of ['', '?email=', '?email=%20']) {
      const { status, body } = await api.get(`/v1/suppressions${query}`, account.key);
      expect([status, body.total, body['current_page']]).toEqual([200, 0, 1]);
    }
  });
});
