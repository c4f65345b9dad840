import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ADMIN_KEYS } from '../../../operations/people/admin-keys';
import { allOperations } from '../../../operations/catalogue';
import { MINUTE } from '../../../lib/clock';
import { eventually } from '../../contract/helpers';
import { SAMPLE_PNG } from '../../support/images';
import { Keyed } from './keyed';

let subject: Keyed;
let operator: string;
beforeAll(async () => {
  subject = await Keyed.start();
  operator = await subject.key({ name: 'terraform' });
});
afterAll(() => subject.running.stop());

// spec: docs/contract.md#dashboard-operations: the management API
describe('the management API', () => {
  it('does an operation, and answers what the command line answers with --json', async () => {
    const made = await subject.do(operator, 'workspace.create', { name: 'Melati', address: 'Jl. Melati 1' });
    expect(made).toMatchObject({
      status: 200,
      body: { name: 'Melati', status: 'active', business_address: 'Jl. Melati 1' },
    });
    const { body } = await subject.do(operator, 'workspace.list');
    expect(body.data).toMatchObject([{ name: 'Demo' }, { name: 'Melati', coins: 0 }]);
  });

  it('leaves a line in the trail with the name of the key', async () => {
    await subject.do(operator, 'workspace.module', { workspace: 'Melati', state: false });
    const { body } = await subject.do(operator, 'log', { limit: 1 });
    expect(body.data).toMatchObject([{ actor: 'key "terraform"', action: 'workspace module', workspace_id: 2 }]);
  });

  it.each([
    ['a missing field', 'workspace.create', {}, { name: ['name is missing.'] }],
    ['a wrong value', 'log', { limit: 0 }, { limit: ['limit must be a whole number from 1 to 1000 (is "0").'] }],
    ['another type', 'workspace.module', { workspace: 1, state: 'on' }, { state: ['state must be true or false.'] }],
    ['an unknown field', 'log', { all: true }, { all: ['all is not a field of log.'] }],
  ])('answers 422 for %s, with the field', async (_, name, input, errors) => {
    const { status, body } = await subject.do(operator, name, input);
    expect({ status, body }).toEqual({
      status: 422,
      body: { message: Object.values(errors)[0]![0], code: 'validation_failed', errors },
    });
  });

  it('takes an image in base64, and refuses what is neither', async () => {
    const file = SAMPLE_PNG.toString('base64');
    const made = await subject.do(operator, 'image.add', { workspace: 1, file, name: 'promo.png' });
    expect(made).toMatchObject({ status: 200, body: { name: 'promo.png', width: 3, height: 2 } });
    for (const [wrong, why] of [
      ['a', 'file must be the bytes of the file in base64.'],
      [SAMPLE_PNG.toString('latin1'), 'file must be the bytes of the file in base64.'],
      [Buffer.from('<svg/>').toString('base64'), 'file is not a PNG, JPEG, GIF or WebP image.'],
      [SAMPLE_PNG.subarray(0, 60).toString('base64'), 'file is damaged or cut off.'],
    ]) {
      expect(await subject.do(operator, 'image.add', { workspace: 1, file: wrong })).toMatchObject({
        status: 422,
        body: { errors: { file: [why] } },
      });
    }
  });

  it('answers 404 for what is not there, and 405 for another method', async () => {
    expect(await subject.do(operator, 'workspace.show', { workspace: 99 })).toMatchObject({
      status: 404,
      body: { code: 'not_found', errors: { workspace: [expect.stringContaining('99')] } },
    });
    for (const path of ['/nothing', '/workspace.nothing', '/constructor', '/', '/workspace.list/', '/__proto__.x'])
      expect(await subject.request('POST', path, operator)).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const got = await subject.request('GET', '/workspace.list', operator);
    expect(got).toMatchObject({ status: 405, body: { code: 'method_not_allowed' } });
    expect(got.headers.get('allow')).toBe('POST');
  });

  it.each([
    [400, 'malformed_body', '{"a":', 'application/json'],
    [400, 'malformed_body', '['.repeat(100), 'application/json'],
    [415, 'unsupported_media_type', 'workspace=1', 'application/x-www-form-urlencoded'],
    [415, 'unsupported_media_type', '{}', 'text/plain'],
    [422, 'validation_failed', '[]', 'application/json'],
    [422, 'validation_failed', 'null', 'application/json'],
    [413, 'body_too_large', JSON.stringify({ name: 'x'.repeat(6 * 1024 * 1024) }), 'application/json'],
  ])('answers %i %s to a body that it cannot use', async (status, code, body, type) => {
    expect(await subject.request('POST', '/workspace.list', operator, body, type)).toMatchObject({
      status,
      body: { code, message: expect.any(String) },
    });
  });

  it('answers 413 to a body of unknown length as well', async () => {
    const chunk = Buffer.alloc(1024 * 1024, ' ');
    const body = new ReadableStream({
      start: (to) => {
        for (let n = 0; n < 7; n += 1) to.enqueue(chunk);
        to.close();
      },
    });
    const { status } = await fetch(`${subject.root}/workspace.list`, {
      method: 'POST',
      headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
      body,
      duplex: 'half',
    });
    expect(status).toBe(413);
  });

  it('is described by an OpenAPI 3.1 document with every operation, which needs no key', async () => {
    const { status, body } = await subject.request('GET', '/openapi.json', null);
    expect(status).toBe(200);
    const validator = new Validator();
    expect(await validator.validate({ ...body })).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
    const names = (await allOperations()).map(({ name }) => `/${name}`);
    expect(Object.keys(body.paths as object)).toEqual(names);
    const ids = Object.values(body.paths as Record<string, { post: { operationId: string; summary: string } }>);
    expect(new Set(ids.map(({ post }) => post.operationId)).size).toBe(names.length);
    for (const { post } of ids) expect(post.operationId).toMatch(/^[a-z]+([A-Z][a-z]+)*$/);
    expect(body).toMatchObject({
      paths: {
        '/coins.top-up': {
          post: {
            'x-role': 'operator',
            requestBody: {
              required: true,
              content: { 'application/json': { schema: { required: ['workspace', 'coins'] } } },
            },
          },
        },
        '/log': { post: { requestBody: { required: false } } },
      },
    });
  });
});

describe('a key of the management API', () => {
  it('is needed: 401 without one, with another, and with one of the REST API', async () => {
    const { demo } = subject.running;
    for (const [key, code] of [
      [null, 'missing_api_key'],
      ['kurir_ak_nothing', 'invalid_api_key'],
      [demo.api_key, 'invalid_api_key'],
    ] as const) {
      const answer = await subject.request('POST', '/workspace.list', key, '{}');
      expect(answer).toMatchObject({ status: 401, body: { code } });
      expect(answer.headers.get('www-authenticate')).toBe('Bearer');
      // What there is not is not told apart either.
      expect((await subject.request('POST', '/nothing', key, '{}')).status).toBe(401);
    }
    expect((await fetch(`${demo.base_url}/account`, { headers: { authorization: `Bearer ${operator}` } })).status).toBe(
      401,
    );
  });

  it('is shown once, and its text is stored nowhere', async () => {
    const made = await subject.do(operator, 'admin-key.create', { name: 'once', workspace: 1, role: 'viewer' });
    expect(made.body).toMatchObject({ name: 'once', workspace_id: 1, role: 'viewer', created_by: 'key "terraform"' });
    const text = made.body.key as string;
    expect(text).toMatch(/^kurir_ak_[A-Za-z0-9]{43}$/);
    const { records } = subject.running.stores;
    const stored = await records.list(ADMIN_KEYS, {}, subject.running.clock.now());
    expect(stored.map(({ body }) => body.name)).toContain('once');
    expect(JSON.stringify(stored)).not.toContain(text.slice('kurir_ak_'.length));
    expect(JSON.stringify((await subject.do(operator, 'admin-key.list')).body)).not.toContain(text);
    expect(JSON.stringify((await subject.do(operator, 'log')).body)).not.toContain(text);
  });

  it('ends when it is revoked, by id or name, at once', async () => {
    const { body } = await subject.do(operator, 'admin-key.create', {
      name: 'brief',
      installation: true,
      role: 'viewer',
    });
    const key = body.key as string;
    expect((await subject.do(key, 'workspace.show', { workspace: 1 })).status).toBe(200);
    expect((await subject.do(operator, 'admin-key.revoke', { key: body.id })).status).toBe(200);
    expect((await subject.do(key, 'workspace.show', { workspace: 1 })).status).toBe(401);
    expect((await subject.do(operator, 'admin-key.revoke', { key: 'brief' })).status).toBe(404);
  });

  it('ends by itself when it has an end', async () => {
    const input = { name: 'ends', workspace: 1, role: 'viewer', expires: '10m' };
    const key = (await subject.do(operator, 'admin-key.create', input)).body.key as string;
    expect((await subject.do(key, 'workspace.show', { workspace: 1 })).status).toBe(200);
    subject.running.clock.advance(10 * MINUTE);
    expect((await subject.do(key, 'workspace.show', { workspace: 1 })).status).toBe(401);
  });

  it('says when it was last used, to five minutes', async () => {
    const key = await subject.key({ name: 'used', workspaceId: 1, role: 'viewer' });
    const lastUsed = async () => {
      const { body } = await subject.do(operator, 'admin-key.list', { workspace: 1 });
      return (body.data as { name: string; last_used_at: string | null }[]).find(({ name }) => name === 'used')!
        .last_used_at;
    };
    expect(await lastUsed()).toBeNull();
    await subject.do(key, 'workspace.show', { workspace: 1 });
    const first = await lastUsed();
    expect(first).not.toBeNull();
    subject.running.clock.advance(4 * MINUTE);
    await subject.do(key, 'workspace.show', { workspace: 1 });
    expect(await lastUsed()).toBe(first);
    subject.running.clock.advance(2 * MINUTE);
    await subject.do(key, 'workspace.show', { workspace: 1 });
    await eventually(async () => expect(await lastUsed()).not.toBe(first));
  });

  it.each([
    ['both reaches', { workspace: 1, installation: true, role: 'viewer' }, 'workspace'],
    ['no reach', { role: 'viewer' }, 'workspace'],
    ['the role operator for a workspace', { workspace: 1, role: 'operator' }, 'role'],
    ['a name that is taken', { workspace: 1, role: 'viewer', name: 'Once' }, 'name'],
    ['no role', { workspace: 1 }, 'role'],
  ])('is not made with %s', async (_, input, field) => {
    const { status, body } = await subject.do(operator, 'admin-key.create', { name: 'x', ...input });
    expect([status, Object.keys(body.errors as object)]).toEqual([422, [field]]);
  });

  it('gives no more than it has', async () => {
    const owner = await subject.key({ name: 'owner', workspaceId: 1, role: 'owner' });
    const everywhere = await subject.key({ name: 'everywhere', role: 'owner' });
    const developer = await subject.key({ name: 'developer', workspaceId: 1, role: 'developer' });
    const make = async (key: string, input: object) => (await subject.do(key, 'admin-key.create', input)).status;
    expect(await make(owner, { name: 'a', workspace: 1, role: 'owner' })).toBe(200);
    expect(await make(owner, { name: 'b', workspace: 2, role: 'viewer' })).toBe(404);
    expect(await make(owner, { name: 'c', installation: true, role: 'viewer' })).toBe(403);
    expect(await make(everywhere, { name: 'd', installation: true, role: 'viewer' })).toBe(403);
    expect(await make(everywhere, { name: 'e', workspace: 2, role: 'owner' })).toBe(200);
    expect(await make(developer, { name: 'f', workspace: 1, role: 'viewer' })).toBe(403);
  });

  it('of a workspace does not learn of other keys', async () => {
    const owner = await subject.key({ name: 'own', workspaceId: 1, role: 'owner' });
    const said = async (key: string, input: object) => subject.do(key, 'admin-key.revoke', input);
    expect(await said(owner, { key: 'terraform' })).toEqual(await said(owner, { key: 'nobody' }));
    const other = await said(owner, { key: 'terraform', workspace: 1 });
    expect(other.status).toBe(404);
    expect(JSON.stringify(other).replaceAll('terraform', 'nobody')).toBe(
      JSON.stringify(await said(owner, { key: 'nobody', workspace: 1 })),
    );
    expect((await subject.do(owner, 'admin-key.list')).status).toBe(403);
    const { body } = await subject.do(owner, 'admin-key.list', { workspace: 1 });
    expect((body.data as { workspace_id: number }[]).every((one) => one.workspace_id === 1)).toBe(true);
  });
});

describe('the management API with a limit', () => {
  let limited: Keyed;
  beforeAll(async () => {
    limited = await Keyed.start({ KURIR_API_RATE_PER_MINUTE: '3' });
  });
  afterAll(() => limited.running.stop());

  it('counts requests by key, and answers 429 with when to come back', async () => {
    const [one, other] = [await limited.key({ name: 'one' }), await limited.key({ name: 'other' })];
    const statuses: number[] = [];
    for (let n = 0; n < 4; n += 1) statuses.push((await limited.request('POST', '/warmup.show', one, '{}')).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
    const refused = await limited.request('POST', '/warmup.show', one, '{}');
    expect(refused.body.code).toBe('too_many_attempts');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await limited.request('POST', '/warmup.show', other, '{}')).status).toBe(200);
  });
});

describe('KURIR_DASHBOARD=false', () => {
  // spec: docs/contract.md#dashboard-operations: KURIR_DASHBOARD=false switches the dashboard and the management API off
  it('switches the management API off', async () => {
    const off = await Keyed.start({ KURIR_DASHBOARD: 'false' });
    try {
      const key = await off.key();
      expect((await off.request('POST', '/workspace.list', key, '{}')).status).toBe(404);
      expect((await off.request('GET', '/openapi.json', null)).status).toBe(404);
    } finally {
      await off.running.stop();
    }
  });
});
