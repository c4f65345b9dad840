import { describe, expect, test } from '@jest/globals';
import type { HandOffJob } from '../../../../domain/messages/message';
import { TestApi } from '../../../support/test-api';
import { PATIENCE } from '../../../support/limits';

const api = TestApi.ofFile();
const account = api.accountOfFile({ profile: { name: 'Akun', businessName: 'Toko Melati' } });

const accepted = async (change: object): Promise<HandOffJob> => {
  const { status, body } = await api.send(account, change);
  expect([status, body]).toMatchObject([201, { message_id: expect.any(String), status: 'queued' }]);
  return (await api.stores.messages.job(body.message_id))!;
};
const refused = async (change: object): Promise<Record<string, string[]>> => {
  const { status, body } = await api.send(account, change);
  expect([status, body.code]).toEqual([422, 'validation_failed']);
  return body.errors;
};
const AT_DOMAIN = (local: string): string => `${local}@${account.domain.domain}`;

describe('POST /messages, accepted', () => {
  // spec: docs/contract.md#send-a-message: message: message_id is a UUID
  // spec: docs/contract.md#checks-in-order: check 7: queued: 201 `{message_id, status: queued}`
  // spec: docs/contract.md#statuses: (none) to queued: all checks pass, no coin taken yet
  test('201: message_id is a UUID and the status queued', async () => {
    const { body } = await api.send(account);
    expect(body.message_id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  // spec: docs/contract.md#message-fields: defaults: from_email, from_name
  test('what is left out gets its default', async () => {
    const { message, body, attachments, contact } = await accepted({ to: 'Budi.Santoso@Contoh.test' });
    expect(message).toMatchObject({
      workspaceId: account.workspace.id,
      domainId: account.domain.id,
      channel: 'api',
      lane: 'transactional',
      campaignId: null,
      to: 'budi.santoso@contoh.test',
      toText: 'Budi.Santoso@Contoh.test',
      fromEmail: AT_DOMAIN('no-reply'),
      fromName: 'Toko Melati',
      replyTo: null,
      metadata: null,
      attachmentsUntil: null,
      createdAt: api.clock.now(),
    });
    expect(body).toEqual({ html: '<p>Halo {{nama|Kak}}</p>', text: null });
    expect(attachments).toEqual([]);
    expect(contact).toMatchObject({ email: 'budi.santoso@contoh.test', name: null, status: 'subscribed' });
  });

  // spec: docs/contract.md#trimming: leading and trailing spaces in text are trimmed
  // spec: docs/contract.md#message-fields: reply_to: any domain
  test('every field is kept, text trimmed', async () => {
    const { message, body } = await accepted({
      subject: '  Halo {{nama}}  ',
      html: '\n<p>Hai</p>\n',
      text: ' Hai ',
      from_email: ` ${AT_DOMAIN('Toko')} `,
      from_name: ' Toko ',
      reply_to: ' CS@Lain.Example ',
    });
    expect(message).toMatchObject({
      subject: 'Halo {{nama}}',
      fromEmail: AT_DOMAIN('Toko'),
      fromName: 'Toko',
      replyTo: 'CS@lain.example',
    });
    expect(body).toEqual({ html: '<p>Hai</p>', text: 'Hai' });
  });

  test('from_email and reply_to may have a local part in quotes', async () => {
    const { message } = await accepted({ from_email: AT_DOMAIN('"toko melati"'), reply_to: '"c s"@lain.example' });
    expect(message).toMatchObject({ fromEmail: AT_DOMAIN('"toko melati"'), replyTo: '"c s"@lain.example' });
  });

  // spec: docs/contract.md#trimming: empty text is treated as not supplied
  test('empty text and null on optional fields are treated as not supplied', async () => {
    for (const value of ['', '  ', null]) {
      const optional = {
        from_email: value,
        from_name: value,
        reply_to: value,
        text: value,
        metadata: value,
        attachments: value,
      };
      const { message, body } = await accepted(optional);
      expect(message).toMatchObject({
        fromEmail: AT_DOMAIN('no-reply'),
        fromName: 'Toko Melati',
        replyTo: null,
        metadata: null,
      });
      expect(body?.text).toBeNull();
    }
  });

  // spec: docs/contract.md#unknown-fields: unknown request fields are ignored
  // spec: docs/contract.md#send-a-message: CC, BCC and custom headers are unsupported
  test('unknown request fields are ignored; CC, BCC and custom headers are unsupported', async () => {
    const { message } = await accepted({
      cc: 'a@contoh.test',
      bcc: ['x'],
      headers: { X: '1' },
      id: 7,
      status: 'delivered',
    });
    expect(message.status).toBe('queued');
  });

  // spec: docs/contract.md#message-fields: defaults: from_email, from_name
  test('from_name is the workspace name while there is no business name', async () => {
    const nameless = await api.account({ profile: { name: 'Akun', businessName: '' } });
    const { body } = await api.send(nameless);
    expect((await api.stores.messages.get(body.message_id))?.fromName).toBe('Akun');
  });

  // spec: docs/contract.md#message-fields: field lengths and types
  test('sizes at the limit, counted in code points', async () => {
    const limits = {
      subject: '😀'.repeat(255),
      html: '😀'.repeat(500_000),
      text: 'é'.repeat(500_000),
      from_name: '😀'.repeat(100),
    };
    expect((await accepted(limits)).body?.html).toHaveLength(1_000_000);
  });

  test('an internationalised recipient domain is kept in ASCII beside the text as given', async () => {
    const { message } = await accepted({ to: 'Büro@Bücher.example' });
    expect(message).toMatchObject({ to: 'büro@xn--bcher-kva.example', toText: 'Büro@Bücher.example' });
  });

  test('a message wakes the queue by a record that carries ids only', async () => {
    const { message } = await accepted({});
    const reader = await api.log.reader('throttle');
    const records = await reader.poll(1_000, AbortSignal.timeout(PATIENCE));
    await reader.close();
    const own = records.find(({ value }) => (value as { messageId: string }).messageId === message.id);
    expect(own).toEqual({
      topic: 'messages.accepted',
      partition: expect.any(Number),
      offset: expect.any(Number),
      at: expect.any(Number),
      key: String(account.workspace.id),
      version: 1,
      forGroup: null,
      value: { workspaceId: account.workspace.id, messageId: message.id },
    });
  });
});

describe('POST /messages, 422: field validation', () => {
  // spec: docs/contract.md#message-fields: subject, html, sending_domain_id: required
  // spec: docs/contract.md#validation-errors: 422: `errors` by field
  test('all missing fields at once, the further ones counted', async () => {
    const { status, body } = await api.post('/v1/messages', account.key).send({});
    expect(status).toBe(422);
    expect(body).toEqual({
      message: 'The to field is required. (and 3 more errors)',
      code: 'validation_failed',
      errors: {
        to: ['The to field is required.'],
        subject: ['The subject field is required.'],
        html: ['The html field is required.'],
        sending_domain_id: ['The sending_domain_id field is required.'],
      },
    });
  });

  // spec: docs/contract.md#validation-errors: 422: the suffix that counts further errors
  test('two faults: (and 1 more error)', async () => {
    const { body } = await api.send(account, { subject: '', html: null });
    expect(body.message).toBe('The subject field is required. (and 1 more error)');
  });

  // spec: docs/contract.md#message-fields: field lengths and types
  // spec: docs/contract.md#sizes: sizes of to, subject, html, text, from_name, metadata, Idempotency-Key, ids
  test.each([
    ['subject', 17, 'must be a string.'],
    ['subject', ['a'], 'must be a string.'],
    ['subject', 'x'.repeat(256), 'must not be greater than 255 characters.'],
    ['subject', '😀'.repeat(256), 'must not be greater than 255 characters.'],
    ['html', { a: 1 }, 'must be a string.'],
    ['html', 'x'.repeat(500_001), 'must not be greater than 500000 characters.'],
    ['text', true, 'must be a string.'],
    ['text', 'x'.repeat(500_001), 'must not be greater than 500000 characters.'],
    ['from_name', 'x'.repeat(101), 'must not be greater than 100 characters.'],
    ['from_email', 'Toko <toko@contoh.test>', 'must be a valid email address.'],
    ['from_email', 'toko', 'must be a valid email address.'],
    ['from_email', `${'x'.repeat(250)}@contoh.test`, 'must not be greater than 255 characters.'],
    ['from_email', 'büro@contoh.test', 'must have only ASCII characters before the @.'],
    ['reply_to', 'a@contoh.test, b@contoh.test', 'must be a valid email address.'],
    ['reply_to', 'a@contoh.test\r\nBcc: b@contoh.test', 'must be a valid email address.'],
    ['reply_to', 17, 'must be a string.'],
    ['sending_domain_id', '1', 'must be an integer.'],
    ['sending_domain_id', 1.5, 'must be an integer.'],
    ['sending_domain_id', true, 'must be an integer.'],
    ['sending_domain_id', [1], 'must be an integer.'],
    ['sending_domain_id', 2 ** 53, 'must be an integer.'],
    ['sending_domain_id', null, 'is required.'],
    ['metadata', 'text', 'must be an object.'],
    ['metadata', [1], 'must be an object.'],
    ['attachments', 'text', 'must be an array.'],
    ['attachments', {}, 'must be an array.'],
  ])('%s: %j', async (field, value, rest) => {
    expect(await refused({ [field]: value })).toEqual({ [field]: [`The ${field} field ${rest}`] });
  });

  // spec: docs/contract.md#message-fields: to: required, one address, max 255, not an array
  test.each([
    ['missing', undefined, 'The to field is required.'],
    ['null', null, 'The to field is required.'],
    ['empty', '', 'The to field is required.'],
    ['blank', ' \t ', 'The to field is required.'],
    ['an array', ['budi@contoh.test'], 'The to field must be a string.'],
    ['an object', { email: 'budi@contoh.test' }, 'The to field must be a string.'],
    ['a number', 17, 'The to field must be a string.'],
  ])('to is %s: no penalty', async (_what, to, sentence) => {
    expect(await refused({ to })).toEqual({ to: [sentence] });
    expect(await api.bookCoins()).toEqual([]);
  });
});

describe('POST /messages, metadata', () => {
  // spec: docs/contract.md#metadata: message: metadata is returned with the status
  // spec: docs/contract.md#metadata: metadata: keys, values, no nesting
  test('201: strings, numbers, booleans and null come back as they are, untrimmed', async () => {
    const metadata = {
      a: '  x ',
      'B.c-d_9': '',
      n: -1.5,
      z: 0,
      t: true,
      nothing: null,
      emoji: '😀'.repeat(500),
      ['k'.repeat(40)]: 1,
    };
    const { message } = await accepted({ metadata });
    const { body } = await api.get(`/v1/messages/${message.id}`, account.key);
    expect(body.metadata).toEqual(metadata);
  });

  test('201: a key may be called as a property of every object', async () => {
    const raw = `{"__proto__":"a","constructor":"b","toString":1}`;
    const mail = { to: 'x@contoh.test', subject: 'x', html: 'x', sending_domain_id: account.domain.id };
    const { body } = await api
      .post('/v1/messages', account.key)
      .type('json')
      .send(`${JSON.stringify(mail).slice(0, -1)},"metadata":${raw}}`);
    const { text } = await api.get(`/v1/messages/${body.message_id}`, account.key);
    expect(text).toContain(`"metadata":${raw}`);
  });

  // spec: docs/contract.md#metadata: metadata: keys, values, no nesting
  test('201: 10 keys', async () => {
    await accepted({ metadata: Object.fromEntries(Array.from({ length: 10 }, (_, n) => [`k${n}`, n])) });
  });

  // spec: docs/contract.md#metadata: metadata: keys, values, no nesting
  // spec: docs/contract.md#sizes: sizes of to, subject, html, text, from_name, metadata, Idempotency-Key, ids
  test.each([
    [
      '11 keys',
      Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`k${n}`, n])),
      'metadata',
      'must not have more than 10 keys.',
    ],
    [
      'a key of 41',
      { ['k'.repeat(41)]: 1 },
      'metadata',
      'must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -',
    ],
    ['an empty key', { '': 1 }, 'metadata', 'must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -'],
    ['a space in a key', { 'a b': 1 }, 'metadata', 'must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -'],
    [
      'a line break after a key',
      { 'a\n': 1 },
      'metadata',
      'must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -',
    ],
    ['a text of 501', { note: 'x'.repeat(501) }, 'metadata.note', 'must not be greater than 500 characters.'],
    ['a list', { tags: ['a'] }, 'metadata.tags', 'must be a string, a number, a boolean or null.'],
    ['nesting', { user: { id: 1 } }, 'metadata.user', 'must be a string, a number, a boolean or null.'],
  ])('422: %s', async (_what, metadata, field, rest) => {
    expect(await refused({ metadata })).toEqual({ [field]: [`The ${field} field ${rest}`] });
  });

  test('422: every fault is told, and the suffix counts the further ones', async () => {
    const metadata = { 'a b': 1, 'c d': 2, note: 'x'.repeat(501), tags: [], user: {}, fine: 1 };
    const many = Object.fromEntries(Array.from({ length: 6 }, (_, n) => [`k${n}`, n]));
    const keys = [
      'The metadata field must not have more than 10 keys.',
      'The metadata field must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -',
    ];
    const mail = { to: 'x@contoh.test', subject: 'x', html: 'x', sending_domain_id: account.domain.id };
    const { body } = await api.post('/v1/messages', account.key).send({ ...mail, metadata: { ...metadata, ...many } });
    expect(body.message).toBe(`${keys[0]} (and 4 more errors)`);
    expect(body.errors).toEqual({
      metadata: keys,
      'metadata.note': ['The metadata.note field must not be greater than 500 characters.'],
      'metadata.tags': ['The metadata.tags field must be a string, a number, a boolean or null.'],
      'metadata.user': ['The metadata.user field must be a string, a number, a boolean or null.'],
    });
  });

  test('422: a number JSON can write and no double can hold', async () => {
    const mail = { to: 'x@contoh.test', subject: 'x', html: 'x', sending_domain_id: account.domain.id };
    const { status, body } = await api
      .post('/v1/messages', account.key)
      .type('json')
      .send(`${JSON.stringify(mail).slice(0, -1)},"metadata":{"n":1e999}}`);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['metadata.n']]);
  });
});
