import { describe, expect, test } from '@jest/globals';
import { TestApi } from '../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase();

const VARIABLES = [
  { name: 'order_no', type: 'string' },
  { name: 'total', type: 'number' },
  { name: 'track', type: 'url' },
];
const TEMPLATE = {
  name: 'Pesanan dikirim',
  subject: 'Pesanan {{order_no}}',
  html: '<p>Halo {{nama|Kak}}, {{ ORDER_NO | - }}: Rp{{total}} <a href="{{track}}">lacak</a></p>',
  variables: VARIABLES,
};
const create = (change: object = {}, key = account.key) =>
  api.post('/v1/templates', key).send({ ...TEMPLATE, ...change });
const made = async (change: object = {}): Promise<number> => Number((await create(change)).body['id']);
const edit = (id: number, change: object) => api.ask('patch', `/v1/templates/${id}`, account.key).send(change);
const show = async (id: number) => (await api.get(`/v1/templates/${id}`, account.key)).body;
const errorsOf = ({ status, body }: { status: number; body: { errors: object } }) => [status, body.errors];

describe('Templates', () => {
  // spec: docs/contract.md#template: the endpoints
  test('201: created; GET lists it without and shows it with its content', async () => {
    const { status, body } = await create();
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(Number),
        ...TEMPLATE,
        text: null,
        version: 1,
        created_at: '2026-01-05T03:00:00.000000Z',
        updated_at: '2026-01-05T03:00:00.000000Z',
      },
    ]);
    expect(await show(Number(body['id']))).toEqual(body);
    const { html: _html, text: _text, ...item } = body;
    expect((await api.get('/v1/templates', account.key)).body).toEqual([item]);
  });

  // spec: docs/contract.md#template: at most 1,000 in a workspace
  test('422: one more than 1,000 in a workspace', async () => {
    const content = { subject: 's', html: 'h', text: null, variables: [], createdAt: 0 };
    const { id: workspaceId } = account.workspace;
    const names = Array.from({ length: 999 }, (_, n) => `template ${n}`);
    await Promise.all(names.map((name) => api.stores.templates.create({ workspaceId, name, ...content })));
    expect((await create()).status).toBe(201);
    expect(errorsOf(await create({ name: 'Satu lagi' }))).toEqual([
      422,
      { name: ['Maksimal 1000 template per workspace. Hapus salah satu untuk menambah yang baru.'] },
    ]);
  });

  // spec: docs/contract.md#template: names, types, undeclared tags
  test.each([
    [{ name: '' }, { name: ['The name field is required.'] }],
    [{ html: null }, { html: ['The html field is required.'] }],
    [{ subject: 'x'.repeat(256) }, { subject: ['The subject field must not be greater than 255 characters.'] }],
    [{ variables: 'order_no' }, { variables: ['The variables field must be an array.'] }],
    [
      { variables: [...VARIABLES, { name: 'Total-1', type: 'money' }] },
      {
        'variables.3.name': [
          'The variables.3.name field must have 1 to 40 characters from a-z 0-9 _ and start with a letter.',
        ],
        'variables.3.type': ['The variables.3.type field must be one of string, number, url.'],
      },
    ],
    [
      { variables: [...VARIABLES, { name: 'total', type: 'url' }, { name: 'email', type: 'string' }] },
      {
        'variables.3.name': ['The variables.3.name field must be unique.'],
        'variables.4.name': ['The variables.4.name field must not be the name of a merge tag.'],
      },
    ],
    [
      { text: '{{ordr_no}} {{constructor}}' },
      {
        text: [
          'The text field uses {{ordr_no}}, which is not a merge tag or a variable.',
          'The text field uses {{constructor}}, which is not a merge tag or a variable.',
        ],
      },
    ],
    [
      { variables: Array.from({ length: 51 }, (_, n) => ({ name: `v${n}`, type: 'string' })), subject: 's', html: 'h' },
      { variables: ['The variables field must not have more than 50 items.'] },
    ],
  ])('422: %j', async (change, errors) => {
    expect(errorsOf(await create(change))).toEqual([422, errors]);
  });

  test('422: a name that is taken in the account; another account may have it', async () => {
    await create();
    expect(errorsOf(await create())).toEqual([422, { name: ['The name field has already been taken.'] }]);
    expect((await create({}, (await api.account()).key)).status).toBe(201);
    const other = await made({ name: 'Lain' });
    expect(errorsOf(await edit(other, { name: TEMPLATE.name }))).toMatchObject([422, {}]);
  });

  // spec: docs/contract.md#template: the endpoints
  test('200: an edit changes what is given, and the whole keeps the rules', async () => {
    const id = await made({ text: 'Halo {{total}}' });
    expect((await edit(id, { subject: 'Terkirim' })).body).toMatchObject({ subject: 'Terkirim', version: 2 });
    expect((await edit(id, { text: null })).body).toMatchObject({ text: null, version: 3 });
    expect((await edit(id, {})).body).toMatchObject({ version: 3 });
    expect(errorsOf(await edit(id, { variables: VARIABLES.slice(1) }))).toEqual([
      422,
      { html: ['The html field uses {{order_no}}, which is not a merge tag or a variable.'] },
    ]);
    expect(await show(id)).toMatchObject({ html: TEMPLATE.html, version: 3 });
  });

  // spec: docs/contract.md#template: edits at once
  test('200: edits at once are all made', async () => {
    const id = await made();
    await Promise.all([edit(id, { subject: 'S' }), edit(id, { name: 'N' }), edit(id, { text: 'T' })]);
    expect(await show(id)).toMatchObject({ subject: 'S', name: 'N', text: 'T', version: 4 });
  });

  // spec: docs/contract.md#template: the endpoints
  test('200: deleted; 404 for it and for those of others', async () => {
    const id = await made();
    const other = (await api.account()).key;
    for (const method of ['get', 'patch', 'delete'] as const) {
      expect((await api.ask(method, `/v1/templates/${id}`, other)).status).toBe(404);
    }
    expect((await api.ask('delete', `/v1/templates/${id}`, account.key)).body).toEqual({ deleted: true });
    expect((await api.ask('delete', `/v1/templates/${id}`, account.key)).status).toBe(404);
    expect((await api.get(`/v1/templates/${id}`, account.key)).status).toBe(404);
  });
});

const GIVEN = { order_no: 'INV-17', total: 150_000, track: 'https://toko.example/l?a=1&b=2' };
const NO_CONTENT = { subject: undefined, html: undefined };
const send = (change: object) => api.send(account, { ...NO_CONTENT, ...change });
const refused = async (change: object) => errorsOf(await send(change));

describe('POST /messages with a template', () => {
  // spec: docs/contract.md#template-variables: the message keeps its copy
  test('201: the message keeps what it was composed from, whatever becomes of the template', async () => {
    const id = await made();
    const { status, body } = await send({ template_id: id, variables: GIVEN });
    expect(status).toBe(201);
    await edit(id, { html: '<p>Lain</p>', variables: [], subject: 'Lain' });
    await api.ask('delete', `/v1/templates/${id}`, account.key);
    const job = await api.stores.messages.job(body.message_id);
    expect(job?.message.subject).toBe(TEMPLATE.subject);
    expect(job?.body).toEqual({
      html: TEMPLATE.html,
      text: null,
      variables: { order_no: 'INV-17', total: '150000', track: 'https://toko.example/l?a=1&b=2' },
    });
  });

  test('201: a form gives numbers as text', async () => {
    const form = new URLSearchParams({ to: 'a@b.example', sending_domain_id: String(account.domain.id) });
    form.set('template_id', String(await made()));
    for (const [name, value] of Object.entries(GIVEN)) form.set(`variables[${name}]`, String(value));
    const { status } = await api.post('/v1/messages', account.key).type('form').send(form.toString());
    expect(status).toBe(201);
  });

  // spec: docs/contract.md#template-variables: missing, wrong type, undeclared: 422
  test.each([
    [
      {},
      {
        'variables.order_no': ['The variables.order_no field is required.'],
        'variables.total': ['The variables.total field is required.'],
        'variables.track': ['The variables.track field is required.'],
      },
    ],
    [{ ...GIVEN, total: '150000' }, { 'variables.total': ['The variables.total field must be a number.'] }],
    [{ ...GIVEN, order_no: 17 }, { 'variables.order_no': ['The variables.order_no field must be a string.'] }],
    [{ ...GIVEN, order_no: null }, { 'variables.order_no': ['The variables.order_no field is required.'] }],
    [{ ...GIVEN, order_no: ['a'] }, { 'variables.order_no': ['The variables.order_no field must be a string.'] }],
    [
      { ...GIVEN, order_no: 'x'.repeat(2_001) },
      { 'variables.order_no': ['The variables.order_no field must not be greater than 2000 characters.'] },
    ],
    [
      { ...GIVEN, track: 'javascript:alert(1)' },
      { 'variables.track': ['The variables.track field must be a URL that begins with http:// or https://.'] },
    ],
    [{ ...GIVEN, track: 'https://a b' }, { 'variables.track': ['The variables.track field must be a valid URL.'] }],
    [{ ...GIVEN, extra: 1 }, { 'variables.extra': ['The variables.extra field is not a variable of the template.'] }],
    [
      { ...GIVEN, '__proto__ x': 1 },
      { variables: ['The variables field must contain variables of the template only.'] },
    ],
    ['text', { variables: ['The variables field must be an object.'] }],
    [[GIVEN], { variables: ['The variables field must be an object.'] }],
  ])('422: variables %j', async (variables, errors) => {
    expect(await refused({ template_id: await made(), variables })).toEqual([422, errors]);
  });

  // spec: docs/contract.md#template-variables: beside subject, html, text: 422
  test('422: beside subject, html or text', async () => {
    const template_id = await made();
    for (const field of ['subject', 'html', 'text']) {
      expect(await refused({ template_id, variables: GIVEN, [field]: 'x' })).toEqual([
        422,
        { [field]: [`The ${field} field must not be given together with template_id.`] },
      ]);
    }
  });

  test('422: variables alone, and without either', async () => {
    expect(errorsOf(await api.send(account, { variables: {} }))).toEqual([
      422,
      { variables: ['The variables field requires a template_id.'] },
    ]);
    expect(await refused({})).toEqual([
      422,
      { subject: ['The subject field is required.'], html: ['The html field is required.'] },
    ]);
  });

  // spec: docs/contract.md#template-variables: unknown template
  test.each([0, -1, 999_999_999])('422: no template %s', async (template_id) => {
    expect(await refused({ template_id, variables: {} })).toEqual([
      422,
      { template_id: ['The selected template_id is invalid.'] },
    ]);
  });

  test("422: another account's template, as one that does not exist", async () => {
    const template_id = Number((await create({}, (await api.account()).key)).body['id']);
    expect(await refused({ template_id, variables: GIVEN })).toEqual([
      422,
      { template_id: ['The selected template_id is invalid.'] },
    ]);
  });

  test('200: a repeated key answers the first message, whatever its template and variables', async () => {
    const template_id = await made();
    const key = { 'Idempotency-Key': 'templat-0001' };
    const first = await api.send(account, { ...NO_CONTENT, template_id, variables: GIVEN }, key);
    const again = await api.send(account, { ...NO_CONTENT, template_id: 0, variables: 7 }, key);
    expect([first.status, again.status, again.body]).toEqual([201, 200, first.body]);
  });
});
