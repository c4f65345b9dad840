import { describe, expect, test } from '@jest/globals';
import type { ContactStatus } from '../../../../domain/contacts/contact';
import type { SuppressionReason } from '../../../../domain/contacts/suppression';
import { aContact, aDomain, aGrant, aSuppression } from '../../../support/builders';
import { TestApi, type Answer } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase({ coins: 100 });

const TO = 'budi@contoh.test';
const HOUR = 3_600_000;
const send = (change: object) => api.send(account, { to: TO, ...change });
const refusal = ({ status, body }: Answer): [number, string] => [status, body.message];
const suppress = (email = TO, reason: SuppressionReason = 'manual') =>
  api.stores.suppressions.add(
    aSuppression({
      workspaceId: reason === 'global' ? null : account.workspace.id,
      reason,
      addressHash: api.keyring.hashAddress(email),
    }),
  );
const findContact = (email = TO) => api.stores.contacts.find(account.workspace.id, email);
const makeContact = async (status: ContactStatus, email = TO): Promise<void> => {
  const { id } = await api.stores.contacts.ensure(aContact(account.workspace.id, { email }));
  await api.stores.contacts.raiseStatus(account.workspace.id, id, status, api.clock.now());
};
const listed = async (): Promise<number> => (await api.get('/v1/messages', account.key)).body.total;

describe('Check 1: `to` malformed', () => {
  // spec: docs/contract.md#checks-in-order: check 1: malformed `to`: penalty, then 422
  test.each([
    'budi',
    'budi@',
    'a@b@contoh.test',
    'a@contoh.test,b@contoh.test',
    '17',
    'null',
    '"budi@contoh.test',
    '""@contoh.test',
    '"bu"di"@contoh.test',
    '"budi\r\nRCPT TO:<x@contoh.test>"@contoh.test',
    `"${'l'.repeat(63)}"@contoh.test`,
  ])('422 and a 4-coin penalty: %s', async (to) => {
    const { status, body } = await send({ to });
    const sentence = 'The to field must be a valid email address.';
    expect([status, body]).toEqual([
      422,
      { message: sentence, code: 'recipient_malformed', errors: { to: [sentence] } },
    ]);
    expect(await api.balance(account)).toBe(96);
  });

  test('422 and a 4-coin penalty: an address with a name, which the error names', async () => {
    const { status, body } = await send({ to: 'Budi <budi@contoh.test>' });
    const sentence = 'The to field must be only an email address, without a name: budi@contoh.test.';
    expect([status, body]).toEqual([
      422,
      { message: sentence, code: 'recipient_malformed', errors: { to: [sentence] } },
    ]);
    expect(await api.balance(account)).toBe(96);
  });

  // spec: docs/contract.md#checks-in-order: check 1: malformed `to`: penalty, then 422
  test('422 and a 4-coin penalty: over 255 characters', async () => {
    const { status, body } = await send({ to: `${'x'.repeat(250)}@contoh.test` });
    expect([status, body.errors]).toEqual([422, { to: ['The to field must not be greater than 255 characters.'] }]);
    expect(await api.balance(account)).toBe(96);
  });

  test.each(['"budi santoso"@contoh.test', '"a\\"b"@contoh.test', '"a@b"@contoh.test', '"a<b>,c"@contoh.test'])(
    '201 and no penalty: a local part in quotes: %s',
    async (to) => {
      const { status, body } = await send({ to });
      expect(status).toBe(201);
      expect(await api.stores.messages.get(body.message_id)).toMatchObject({ to, toText: to });
      expect(await api.balance(account)).toBe(100);
    },
  );

  // spec: docs/contract.md#message-fields: to: required, one address, max 255, not an array
  test('201: 255 characters', async () => {
    const label = 'd'.repeat(60);
    const to = `${'l'.repeat(64)}@${label}.${label}.${label}.contoh`.padEnd(255, 'h');
    expect((await send({ to })).status).toBe(201);
    expect(await api.balance(account)).toBe(100);
  });

  // spec: docs/contract.md#checks-in-order: check 1: malformed `to`: penalty, then 422
  test('comes before the fields: only errors.to, the penalty taken', async () => {
    const { body } = await send({ to: 'budi', subject: '', html: 17, sending_domain_id: 'x' });
    expect(Object.keys(body.errors)).toEqual(['to']);
    expect(await api.balance(account)).toBe(96);
  });

  test('the penalty is durable in the log before the answer', async () => {
    await send({ to: 'Budi' });
    expect(await api.bookCoins()).toMatchObject([
      { workspaceId: account.workspace.id, kind: 'penalty', amount: -4, messageId: null, at: api.clock.now() },
    ]);
  });
});

describe('Check 2: fields', () => {
  // spec: docs/contract.md#checks-in-order: check 2: field, metadata, attachment validation: 422
  test('422 before the domain is looked at', async () => {
    const { body } = await send({ subject: null, sending_domain_id: 999_999 });
    expect(body.errors).toEqual({ subject: ['The subject field is required.'] });
  });
});

describe('Check 3: sending domain', () => {
  // spec: docs/contract.md#sending-domains: sending domain: only `active` may send
  // spec: docs/contract.md#checks-in-order: check 3: domain not owned or not active: 422
  test.each(['pending_dns', 'dns_verifying', 'provisioning', 'dns_failed', 'suspended'] as const)(
    '422: %s may not send',
    async (status) => {
      const domain = await api.stores.domains.create(aDomain(account.workspace.id, { status }));
      const answer = await send({ sending_domain_id: domain.id });
      expect(answer.body).toEqual({ message: 'Domain pengirim belum aktif/terverifikasi.', code: 'domain_inactive' });
      expect(answer.status).toBe(422);
    },
  );

  // spec: docs/contract.md#checks-in-order: check 3: domain not owned or not active: 422
  test('422: a domain of another account answers as one that does not exist', async () => {
    const other = await api.account();
    const foreign = await send({ sending_domain_id: other.domain.id });
    const unknown = await send({ sending_domain_id: 999_999 });
    expect(refusal(foreign)).toEqual([422, 'The selected sending_domain_id is invalid.']);
    expect(foreign.body).toEqual(unknown.body);
  });

  // spec: docs/contract.md#message-fields: from_email: the domain of sending_domain_id, other subdomains rejected
  test.each(['toko@sub.DOMAIN', 'toko@contoh.test', 'toko@xDOMAIN', 'toko@DOMAIN.contoh.test'])(
    '422: from_email %s is not on the domain',
    async (pattern) => {
      const answer = await send({ from_email: pattern.replace('DOMAIN', account.domain.domain) });
      expect([answer.status, answer.body.code]).toEqual([422, 'from_email_mismatch']);
    },
  );

  // spec: docs/contract.md#message-fields: from_email: the domain of sending_domain_id, other subdomains rejected
  test('201: from_email is compared without case', async () => {
    expect((await send({ from_email: `Toko@${account.domain.domain.toUpperCase()}` })).status).toBe(201);
  });

  test('201: an internationalised domain in either spelling', async () => {
    const domain = await api.stores.domains.create(aDomain(account.workspace.id, { domain: 'xn--bcher-kva.example' }));
    for (const from_email of ['toko@bücher.example', 'toko@xn--bcher-kva.example']) {
      const { body } = await send({ sending_domain_id: domain.id, from_email });
      expect((await api.stores.messages.get(body.message_id))?.fromEmail).toBe('toko@xn--bcher-kva.example');
    }
  });
});

describe('Check 4: coins', () => {
  const drain = (to: number) => api.stores.coins.post(aGrant(account.workspace.id, to - 100));

  // spec: docs/contract.md#checks-in-order: check 4: coin balance below 1: 422
  test.each([0, -3])('422: a balance of %d', async (balance) => {
    await drain(balance);
    const answer = await send({});
    expect([answer.status, answer.body]).toEqual([
      422,
      { message: 'Saldo koin habis — top-up koin untuk lanjut mengirim.', code: 'no_coins' },
    ]);
  });

  // spec: docs/contract.md#statuses: (none) to queued: all checks pass, no coin taken yet
  // spec: docs/contract.md#price-of-an-email: a coin is deducted when the email is handed to the sending server
  // spec: docs/contract.md#price-of-an-email: 1 coin at hand-off, not on acceptance
  test('201: a balance of 1, and no coin is taken yet', async () => {
    await drain(1);
    expect((await send({})).status).toBe(201);
    expect((await send({})).status).toBe(201);
    expect(await api.balance(account)).toBe(1);
  });

  // spec: docs/contract.md#checks-in-order: check 4: coin balance below 1: 422
  test('comes after the domain and before the suppression list: no penalty', async () => {
    await drain(0);
    await suppress();
    expect((await send({ sending_domain_id: 999_999 })).body.code).toBe('domain_unknown');
    expect((await send({})).body.code).toBe('no_coins');
    expect(await api.balance(account)).toBe(0);
  });

  test('a penalty applies at a balance of zero, too', async () => {
    await drain(0);
    await send({ to: 'malformed' });
    expect(await api.balance(account)).toBe(-4);
  });
});

describe('Check 5: suppression list', () => {
  // spec: docs/contract.md#checks-in-order: check 5: suppressed: penalty and 422
  test.each(['manual', 'hard_bounce', 'complaint', 'global'] as const)('422 and penalty: %s', async (reason) => {
    const to = `${reason}@contoh.test`;
    await suppress(to, reason);
    const answer = await send({ to: to.toUpperCase() });
    expect(answer.body).toEqual({ message: 'Penerima ada di suppression list.', code: 'recipient_suppressed' });
    expect([answer.status, await api.balance(account)]).toEqual([422, 96]);
  });

  // spec: docs/contract.md#checks-in-order: check 5: suppressed: penalty and 422
  test('comes before the contact: none is made', async () => {
    await suppress();
    await send({});
    expect(await findContact()).toBeNull();
  });

  test('another spelling of an internationalised domain does not walk around it', async () => {
    await suppress('x@xn--bcher-kva.example');
    expect((await send({ to: 'X@BÜCHER.example' })).body.code).toBe('recipient_suppressed');
  });
});

describe('Check 6: contact', () => {
  // spec: docs/contract.md#checks-in-order: check 6: recipient made a contact; one that is unsubscribed, bounced or
  //   complained: penalty and 422
  test('201: the recipient is made a contact', async () => {
    await send({ to: 'Budi@Contoh.test' });
    expect(await findContact()).toMatchObject({
      email: TO,
      name: null,
      status: 'subscribed',
      createdAt: api.clock.now(),
    });
  });

  test('201: an existing contact is used as it is', async () => {
    const before = await api.stores.contacts.ensure(aContact(account.workspace.id, { email: TO, name: 'Budi' }));
    const { body } = await send({});
    expect((await api.stores.messages.get(body.message_id))?.contactId).toBe(before.id);
    expect(await findContact()).toEqual(before);
  });

  // spec: docs/contract.md#checks-in-order: check 6: recipient made a contact; one that is unsubscribed, bounced or
  //   complained: penalty and 422
  test.each(['unsubscribed', 'bounced', 'complained'] as const)('422 and penalty: %s', async (status) => {
    await makeContact(status);
    const answer = await send({});
    expect(answer.body).toEqual({ message: 'Penerima sudah unsubscribe.', code: 'recipient_unsubscribed' });
    expect([answer.status, await api.balance(account)]).toEqual([422, 96]);
  });

  test('422: the suppression list answers first', async () => {
    await makeContact('unsubscribed');
    await suppress();
    expect(refusal(await send({}))).toEqual([422, 'Penerima ada di suppression list.']);
  });

  test('a contact of another workspace is not ours', async () => {
    await makeContact('unsubscribed');
    Object.assign(account, await api.account());
    expect((await send({})).status).toBe(201);
  });
});

describe('Check 7: queued', () => {
  // spec: docs/contract.md#send-a-message: `POST /messages` queues one email for one recipient
  // spec: docs/contract.md#checks-in-order: check 7: queued: 201 `{message_id, status: queued}`
  test('201 stores one message, a refusal none', async () => {
    await suppress('lain@contoh.test');
    await send({});
    await send({ to: 'malformed' });
    await send({ subject: '' });
    await send({ to: 'lain@contoh.test' });
    expect(await listed()).toBe(1);
  });
});

describe('Penalty: once per address plus reason per 24 hours', () => {
  // spec: docs/contract.md#penalty-for-a-forced-send: forced send: 4-coin penalty, once per address plus reason per 24
  //   hours
  test('twice within 24 h: one penalty, two refusals', async () => {
    for (let n = 0; n < 3; n++) expect((await send({ to: 'Malformed' })).status).toBe(422);
    await send({ to: 'malformed' });
    expect(await api.balance(account)).toBe(96);
  });

  // spec: docs/contract.md#penalty-for-a-forced-send: forced send: 4-coin penalty, once per address plus reason per 24
  //   hours
  test('24 h later: another one', async () => {
    await send({ to: 'malformed' });
    expect(await api.balance(account)).toBe(96);
    api.clock.advance(24 * HOUR - 1);
    await send({ to: 'malformed' });
    expect(await api.balance(account)).toBe(96);
    api.clock.advance(1);
    await send({ to: 'malformed' });
    expect(await api.balance(account)).toBe(92);
  });

  test('each address by itself', async () => {
    await send({ to: 'malformed' });
    await send({ to: 'malformed, too' });
    expect(await api.balance(account)).toBe(92);
  });

  test('each reason by itself', async () => {
    await makeContact('unsubscribed');
    await send({});
    await suppress();
    await send({});
    expect(await api.balance(account)).toBe(92);
  });

  // spec: docs/contract.md#penalty-for-a-forced-send: forced send: 4-coin penalty, once per address plus reason per 24
  //   hours
  test('30 forced sends at once: one penalty', async () => {
    await suppress();
    const answers = await Promise.all(Array.from({ length: 30 }, () => send({})));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([422]));
    expect(await api.balance(account)).toBe(96);
  });
});
