import { describe, expect, test } from '@jest/globals';
import { bodyCases, faultCases, openApiFixture, scopeCase } from '../fixture';

const fixture = openApiFixture();
const create = (body: string | object) => fixture.ask('post', '/audiences', body);
const count = async () => ((await fixture.ask('get', '/audiences')).body as unknown as object[]).length;

describe('POST /audiences', () => {
  scopeCase(fixture, 'manage_contacts', () => create({ name: 'Pelanggan' }));
  bodyCases(create);

  // spec: docs/contract.md#create-an-audience: Audience: fields, nullable description
  // spec: docs/contract.md#create-an-audience: POST /audiences: always single, 201
  test('201: the audience, single opt-in whatever is asked, without members', async () => {
    const { status, body } = await create({
      name: ' Pelanggan setia 🌸 ',
      description: ' Baris satu\nbaris dua ',
      opt_in_mode: 'double',
      public_token: 'mine',
      contacts_count: 7,
    });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: expect.any(Number),
      workspace_id: fixture.workspaceId,
      name: 'Pelanggan setia 🌸',
      description: 'Baris satu\nbaris dua',
      public_token: expect.stringMatching(/^[A-Za-z0-9]{32}$/),
      opt_in_mode: 'single',
      created_at: '2026-01-05T03:00:00.000000Z',
      updated_at: '2026-01-05T03:00:00.000000Z',
      contacts_count: 0,
    });
    expect((await fixture.ask('get', `/audiences/${String(body['id'])}`)).body).toEqual(body);
  });

  // spec: docs/contract.md#create-an-audience: Audience: fields, nullable description
  test.each([{ name: 'P' }, { name: 'P', description: null }, { name: 'P', description: '  ' }])(
    '201: without a description it is null: %j',
    async (body) => {
      expect((await create(body)).body).toMatchObject({ name: 'P', description: null });
    },
  );

  // spec: docs/contract.md#create-an-audience: name max 255, description max 1000
  test('201: a name of 255 and a description of 1000 characters', async () => {
    const given = { name: '🌸'.repeat(255), description: '🌸'.repeat(1_000) };
    expect(await create(given)).toMatchObject({ status: 201, body: given });
  });

  test('201: a form, and the same name twice; each has a token of its own', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create('name=Pelanggan&description=007')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body['public_token'])).size).toBe(20);
    expect(await count()).toBe(20);
  });

  faultCases(
    [
      ['The name field is required.', {}],
      ['The name field is required.', { name: '  ' }],
      ['The name field is required.', { name: null }],
      ['The name field is required.', { __proto__x: 1 }],
      ['The name field must be a string.', { name: 7 }],
      ['The name field must be a string.', { name: ['Pelanggan'] }],
      ['The name field must be a string.', { name: { a: { b: {} } } }],
      ['The name field must be a string.', 'name[]=Pelanggan'],
      ['The name field must be a string.', 'name=a&name=b'],
      ['The name field must not be greater than 255 characters.', { name: 'n'.repeat(256) }],
      ['The description field must be a string.', { name: 'P', description: false }],
      [
        'The description field must not be greater than 1000 characters.',
        { name: 'P', description: 'd'.repeat(1_001) },
      ],
    ],
    create,
    async () => expect(await count()).toBe(0),
  );

  test('422: a body that only pretends to have fields', async () => {
    expect((await create('{"__proto__":{"name":"P"}}').type('json')).status).toBe(422);
  });
});
