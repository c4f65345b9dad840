import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { TestApi, type Account } from '../../../support/test-api';

let api: TestApi;
let account: Account;
beforeAll(async () => {
  api = await TestApi.open();
  account = await api.account();
});
afterAll(() => api.close());

const meant = (name: string, field: string): string => `\`${name}\` is not a field: did you mean \`${field}\`?`;
const ONE_RECIPIENT = 'a message has one recipient. Send another message to each further one.';

describe('POST /messages: warnings for unknown fields', () => {
  test.each([
    ['from', meant('from', 'from_email')],
    ['From', meant('From', 'from_email')],
    ['fromName', meant('fromName', 'from_name')],
    ['replyTo', meant('replyTo', 'reply_to')],
    ['sending_domain', meant('sending_domain', 'sending_domain_id')],
    ['subjct', meant('subjct', 'subject')],
    ['htm', meant('htm', 'html')],
    ['cc', `\`cc\` is not a field: ${ONE_RECIPIENT}`],
    ['bcc', `\`bcc\` is not a field: ${ONE_RECIPIENT}`],
    ['scheduled_at', meant('scheduled_at', 'send_at')],
    ['deliver_at', meant('deliver_at', 'send_at')],
    ['track', '`track` is not a field: tracking cannot be turned off.'],
    ['tracking', '`tracking` is not a field: tracking cannot be turned off.'],
    ['headers', '`headers` is not a field: custom headers are not supported.'],
    ['idempotency_key', '`idempotency_key` is not a field: send it as the header `Idempotency-Key`.'],
  ])('%s is named in the warnings of the 201', async (name, warning) => {
    const { status, body } = await api.send(account, { [name]: 'anything' });
    expect([status, body]).toEqual([201, { message_id: expect.any(String), status: 'queued', warnings: [warning] }]);
  });

  test('unknown fields that resemble nothing are ignored without a word', async () => {
    const { status, body } = await api.send(account, {
      foo: 1,
      priority: 'high',
      __proto__: 1,
      constructor: 1,
      toString: 1,
    });
    expect([status, body]).toEqual([201, { message_id: expect.any(String), status: 'queued' }]);
  });

  test('at most ten are named, and very long names never', async () => {
    const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`Subject${'_'.repeat(n)}`, 1]));
    const { body } = await api.send(account, { ...many, [`cc${'-'.repeat(60)}`]: 1 });
    expect(body.warnings).toHaveLength(10);
  });

  test('a refusal and a repeat have no warnings', async () => {
    const refused = await api.send(account, { cc: 'a@b.example', subject: '' });
    expect([refused.status, refused.body.warnings]).toEqual([422, undefined]);
  });

  test.each([
    ['Siti <siti@x.example>', 'siti@x.example'],
    ['"Siti, Toko" < siti@x.example >', 'siti@x.example'],
    ['<siti@x.example>', 'siti@x.example'],
  ])('to: %s is refused with the address it holds', async (to, address) => {
    const { status, body } = await api.send(account, { to });
    const message = `The to field must be an email address alone: ${address}, without a name.`;
    expect([status, body.message, body.errors]).toEqual([422, message, { to: [message] }]);
  });

  test.each(['Siti <siti>', 'Siti siti@x.example>', '<siti@x.example> Siti', '<>'])('to: %s holds none', async (to) => {
    const { body } = await api.send(account, { to });
    expect(body.message).toBe('The to field must be a valid email address.');
  });
});
