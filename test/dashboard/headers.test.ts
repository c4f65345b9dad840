import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createAdminKey } from '../../operations/people/admin-keys';
import { SCREENS } from '../../dashboard/screens';
import { UnavailableError } from '../../lib/errors';
import { allOperations } from '../../operations/catalogue';
import { richWorkspace, type Things } from '../support/rich-workspace';
import { idsOf, pathOf } from './screen-paths';
import { Dashboarded, Visitor } from './visitor';

/** What is wrong with the headers of an answer that is only for whoever asked. */
function faultsOf(headers: Headers): string[] {
  const policy = headers.get('content-security-policy') ?? '';
  const wanted: readonly (readonly [string, boolean])[] = [
    ['default-src', /(?:^|; )default-src 'none'/.test(policy)],
    ['frame-ancestors', /(?:^|; )frame-ancestors '(?:none|self)'/.test(policy)],
    ['no script from elsewhere', !/script-src(?! 'self'(?:;|$))/.test(policy)],
    ['nosniff', headers.get('x-content-type-options') === 'nosniff'],
    ['referrer', ['same-origin', 'no-referrer'].includes(headers.get('referrer-policy') ?? '')],
    ['no-store', headers.get('cache-control') === 'no-store'],
    ['x-frame-options', ['DENY', 'SAMEORIGIN'].includes(headers.get('x-frame-options') ?? '')],
  ];
  return wanted.flatMap(([name, isRight]) => (isRight ? [] : [name]));
}

// docs/dashboard.md#what-protects-it
describe('every answer of the dashboard and of the management API', () => {
  const subject = new Dashboarded();
  let own: Things;
  let operator: Visitor;
  beforeAll(async () => {
    await subject.start();
    own = await richWorkspace(subject.service, 'sendiri');
    operator = await subject.person('operator@toko.example', 'operator');
  });
  afterAll(() => subject.stop());
  afterEach(() => void jest.restoreAllMocks());

  const statuses = new Set<number>();
  const faults: string[] = [];
  /** An answer that was read to its end, so that its connection is free. */
  const read = async (path: string, init: RequestInit): Promise<Response> => {
    const response = await fetch(subject.origin + path, { redirect: 'manual', ...init });
    await response.arrayBuffer();
    return response;
  };
  const look = (what: string, { status, headers }: Pick<Response, 'status' | 'headers'>): void => {
    statuses.add(status);
    for (const fault of faultsOf(headers)) faults.push(`${what} (${status}): ${fault}`);
  };
  const seen = (): { faults: string[]; statuses: number[] } => {
    const all = { faults: [...faults], statuses: [...statuses].sort() };
    faults.length = 0;
    statuses.clear();
    return all;
  };
  const addressOf = (screen: (typeof SCREENS)[number]): string =>
    screen.of === 'workspace' ? pathOf(own.workspace, screen, idsOf(screen, own)) : `/app${screen.path}`;

  it('is for one person: screens, what forms do, and what is not there', async () => {
    const cookie = `kurir_session=${operator.cookies.get('kurir_session')}`;
    for (const screen of SCREENS) {
      const path = addressOf(screen).replace(/:\w+/g, 'x');
      if (screen.method === 'GET') look(`GET ${path}`, await operator.get(path));
      // Without its token, so that nothing is done.
      else
        look(
          `POST ${path}`,
          await read(path, { method: 'POST', headers: { cookie }, body: new URLSearchParams('_csrf=x') }),
        );
    }
    look('a form', await operator.post(`/app/w/${own.workspace}/audiences/new`, {}));
    look('a form', await operator.post('/app/language', { language: 'en' }));
    look('nothing', await operator.get('/app/no-such-page'));
    expect(seen()).toEqual({ faults: [], statuses: expect.arrayContaining([200, 303, 403, 404, 422]) });
  });

  it('also of somebody who is not signed in, and of what cannot be read', async () => {
    const guest = new Visitor(subject.origin);
    for (const path of [
      '/app',
      '/app/',
      '/app/w/1',
      '/app/sign-in',
      '/app/sign-in/second',
      `/app/claim/${'x'.repeat(40)}`,
    ])
      look(path, await guest.get(path));
    look('sign-in', await guest.post('/app/sign-in', { email: 'x@y.example', password: 'x' }));
    look('passkey', await guest.post('/app/sign-in/passkey', {}));
    look('too large', await guest.post('/app/sign-in', { email: 'x'.repeat(70_000) }));
    const sent = (method: string, headers: Record<string, string> = {}, body?: string) =>
      read('/app/sign-in', { method, headers, ...(body !== undefined && { body }) });
    look('PUT', await sent('PUT'));
    look('HEAD', await sent('HEAD'));
    look('no form', await sent('POST', { 'content-type': 'application/json' }, '{}'));
    look('another site', await sent('POST', { origin: 'https://evil.example' }, 'a=b'));
    expect(seen()).toEqual({ faults: [], statuses: expect.arrayContaining([200, 303, 403, 405, 410, 413, 415, 422]) });
  });

  it('also when the service fails', async () => {
    const { templates } = subject.service.stores;
    const fails = jest.spyOn(templates, 'list').mockRejectedValue(new Error('broken'));
    look('500', await operator.get(`/app/w/${own.workspace}/templates`));
    fails.mockRejectedValue(new UnavailableError('busy'));
    look('503', await operator.get(`/app/w/${own.workspace}/templates`));
    expect(seen()).toEqual({ faults: [], statuses: [500, 503] });
  });

  it('is the same of the management API', async () => {
    const { people } = subject;
    const of = { role: 'viewer', workspaceId: Number(own.workspace), expiresAt: null, createdBy: 'test' } as const;
    const { text } = await createAdminKey(people, { ...of, name: 'looks' });
    const ask = (path: string, method = 'POST', headers: Record<string, string> = {}, body?: string) =>
      read(path, { method, headers, ...(body !== undefined && { body }) });
    const keyed = { authorization: `Bearer ${text}`, 'content-type': 'application/json' };
    for (const { name } of await allOperations()) {
      look(`${name} without a key`, await ask(`/admin/v1/${name}`));
      look(name, await ask(`/admin/v1/${name}`, 'POST', keyed, '{"workspace":"no such"}'));
    }
    look('it works', await ask('/admin/v1/template.list', 'POST', keyed, JSON.stringify({ workspace: own.workspace })));
    const template = JSON.stringify({ workspace: own.workspace, template: own.template });
    look('not for viewers', await ask('/admin/v1/template.delete', 'POST', keyed, template));
    look('document', await ask('/admin/v1/openapi.json', 'GET'));
    look('no operation', await ask('/admin/v1/no.such', 'POST', keyed));
    for (const path of ['/admin', '/admin/', '/admin/v2/x'])
      look(path, await ask(path, 'GET', { accept: 'text/html' }));
    look('GET', await ask('/admin/v1/template.list', 'GET', keyed));
    look('no JSON', await ask('/admin/v1/template.list', 'POST', keyed, '{'));
    look('a form', await ask('/admin/v1/template.list', 'POST', { ...keyed, 'content-type': 'text/plain' }, 'x'));
    jest.spyOn(subject.service.stores.templates, 'list').mockRejectedValue(new Error('broken'));
    look('broken', await ask('/admin/v1/template.list', 'POST', keyed, JSON.stringify({ workspace: own.workspace })));
    expect(seen()).toEqual({
      faults: [],
      statuses: expect.arrayContaining([200, 400, 401, 403, 404, 405, 415, 422, 500]),
    });
  });

  it('but for assets, which are the same for all, and for the pages of recipients', async () => {
    const page = await operator.get(`/app/w/${own.workspace}`);
    const assets = [...page.html.matchAll(/(?:src|href)="(\/app\/assets\/[^"]+)"/g)].map(([, path]) => path!);
    expect(assets.length).toBeGreaterThan(2);
    for (const path of assets) {
      const { headers } = await operator.get(path);
      expect([headers.get('cache-control'), headers.get('x-content-type-options')]).toEqual([
        'public, max-age=31536000, immutable',
        'nosniff',
      ]);
    }
    // An image of a mail is shown by other sites, and what leads on from a mail opens in a window of theirs.
    for (const path of [`/i/${own.image}.png`, '/produk', '/t/o/x']) {
      const { headers } = await new Visitor(subject.origin).get(path);
      expect([path, headers.get('x-content-type-options'), headers.get('cross-origin-opener-policy')]).toEqual([
        path,
        'nosniff',
        null,
      ]);
    }
    expect((await operator.get(`/i/${own.image}.png`)).headers.get('cache-control')).toContain('public');
  });
});
