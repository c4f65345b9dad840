import { describe, expect, test } from '@jest/globals';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfFile();

const meant = (name: string, field: string): string => `\`${name}\` is not a field: did you mean \`${field}\`?`;
const ONE_RECIPIENT = 'a message has one recipient. Send a separate message to each further recipient.';
const HEADERS = 'custom headers are not supported. Use `metadata` for your own data.';
const TAGS = 'tags are not supported. Use `metadata` instead: webhooks and GET /messages include it.';
const CATEGORY =
  'the sending domain decides: a marketing or a transactional one (GET /domains). Use `metadata` for your own tags.';
const TRACKING =
  'tracking is decided by the sending domain: a transactional one has no open pixel and tracks no links by default.';

describe('POST /messages: warnings for unknown fields', () => {
  // spec: docs/contract.md#warnings-for-unknown-fields: unknown fields that look like a mistake are named in the 201
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
    ['track', `\`track\` is not a field: ${TRACKING}`],
    ['tracking', `\`tracking\` is not a field: ${TRACKING}`],
    ['track_clicks', `\`track_clicks\` is not a field: ${TRACKING}`],
    ['TrackOpens', `\`TrackOpens\` is not a field: ${TRACKING}`],
    ['o:tracking', `\`o:tracking\` is not a field: ${TRACKING}`],
    ['headers', `\`headers\` is not a field: ${HEADERS}`],
    ['h:Reply-To', `\`h:Reply-To\` is not a field: ${HEADERS}`],
    ['tags', `\`tags\` is not a field: ${TAGS}`],
    ['Tag', `\`Tag\` is not a field: ${TAGS}`],
    ['category', `\`category\` is not a field: ${CATEGORY}`],
    ['categories', `\`categories\` is not a field: ${CATEGORY}`],
    ['MessageStream', `\`MessageStream\` is not a field: ${CATEGORY}`],
    [
      'list_unsubscribe',
      '`list_unsubscribe` is not a field: email from a marketing domain gets its unsubscribe link automatically.',
    ],
    [
      'personalizations',
      '`personalizations` is not a field: a message has one recipient. Send several with `POST /messages/batch`.',
    ],
    ['templateId', meant('templateId', 'template_id')],
    ['dynamic_template_data', meant('dynamic_template_data', 'variables')],
    ['email', meant('email', 'to')],
    ['idempotency_key', '`idempotency_key` is not a field: send it as the header `Idempotency-Key`.'],
  ])('%s is named in the warnings of the 201', async (name, warning) => {
    const { status, body } = await api.send(account, { [name]: 'anything' });
    expect([status, body]).toEqual([201, { message_id: expect.any(String), status: 'queued', warnings: [warning] }]);
  });

  // spec: docs/contract.md#warnings-for-unknown-fields: what resembles no field is ignored in silence
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
    const message = `The to field must be only an email address, without a name: ${address}.`;
    expect([status, body.message, body.errors]).toEqual([422, message, { to: [message] }]);
  });

  test.each(['Siti <siti>', 'Siti siti@x.example>', '<siti@x.example> Siti', '<>'])('to: %s holds none', async (to) => {
    const { body } = await api.send(account, { to });
    expect(body.message).toBe('The to field must be a valid email address.');
  });
});

describe('POST /messages: warnings for content', () => {
  const unknown = (tags: string): string => `Unknown merge tags: ${tags}. They are sent as written.`;
  const WHY =
    'is a domain for marketing: links are tracked, there is a footer to unsubscribe, and contacts that did are refused.';

  // spec: docs/contract.md#warnings-for-content: unknown merge tags are named, and sent as they are written
  test.each([
    ['in the html', { html: '<p>Halo {{first}} {{nama|Kak}} {{ user.name }}</p>' }, '{{first}}, {{ user.name }}'],
    ['in the subject', { subject: 'Halo {{naam}}' }, '{{naam}}'],
    ['in the text', { text: '{{#if nama}}Halo{{/if}}' }, '{{#if nama}}, {{/if}}'],
    ['many', { html: '{{a}}{{a}}{{b}}{{c}}{{d}}{{e}}' }, '{{a}}, {{b}}, {{c}} and 2 more'],
  ])('unknown merge tags %s', async (_where, fields, tags) => {
    const { status, body } = await api.send(account, fields);
    expect([status, body.warnings]).toEqual([201, [unknown(tags)]]);
  });

  test('tags of its own template are known, and so are all of the service', async () => {
    const variables = [{ name: 'order', type: 'string' }];
    const template = { name: 'Nota', subject: 'Halo {{order}}', html: '<p>{{nama|Kak}}</p>', variables };
    const made = await api.post('/v1/templates', account.key).send(template);
    const { status, body } = await api.send(account, {
      subject: undefined,
      html: undefined,
      template_id: made.body.id,
      variables: { order: '{{x}}' },
    });
    expect([made.status, status, body.warnings]).toEqual([201, 201, undefined]);
  });

  // spec: docs/contract.md#warnings-for-content: a reset, a code or a receipt from a marketing domain
  test('a reset, a code or a receipt from a marketing domain, in a batch too; from a transactional one none', async () => {
    const { domain } = account;
    const resets = [
      ['a password reset', 'Reset your password'],
      ['a code or a confirmation', 'Kode OTP Anda'],
      ['a receipt', 'Struk Anda'],
    ];
    const sentence = (kind = ''): string =>
      `This looks like ${kind}, and ${domain.domain} ${WHY} Send it from a transactional domain (\`category\` in GET /domains).`;
    for (const [kind, subject] of resets) {
      expect((await api.send(account, { subject })).body.warnings).toEqual([sentence(kind)]);
    }
    const mail = { to: 'a@b.example', subject: 'Struk Anda', html: '<p>x</p>', sending_domain_id: domain.id };
    const batch = await api
      .post('/v1/messages/batch', account.key)
      .send({ messages: [mail, { ...mail, subject: 'Promo' }] });
    expect((batch.body.data as { warnings?: string[] }[]).map(({ warnings }) => warnings)).toEqual([
      [sentence('a receipt')],
      undefined,
    ]);
    await api.stores.domains.setMail(domain.id, { category: 'transactional', trackClicks: false });
    for (const [, subject] of resets) expect((await api.send(account, { subject })).body.warnings).toBeUndefined();
    await api.stores.domains.setMail(domain.id, { category: 'marketing', trackClicks: false });
  });

  test('a repeat by its key has none', async () => {
    const headers = { 'idempotency-key': 'reset-warned-1' };
    const first = await api.send(account, { subject: 'Reset your password' }, headers);
    const again = await api.send(account, { subject: 'Reset your password' }, headers);
    expect([first.status, again.status, again.body.warnings]).toEqual([201, 200, undefined]);
  });
});
