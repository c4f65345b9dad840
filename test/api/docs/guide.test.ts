import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestApi } from '../../support/test-api';

const dir = join(tmpdir(), `kurir-guide-${process.pid}`);
const site = join(dir, 'dist-docs');
let api: TestApi;

async function build(title: string): Promise<void> {
  await rm(site, { recursive: true, force: true });
  const made = await mkdtemp(`${dir}-`);
  await mkdir(join(made, 'assets'));
  await mkdir(join(made, 'decisions'));
  await writeFile(join(made, 'index.html'), `<title>${title}</title>`);
  await writeFile(join(made, 'decisions/index.html'), '<title>Decisions</title>');
  await writeFile(join(made, 'campaigns.html'), '<title>Campaigns</title>');
  await writeFile(join(made, 'other.html'), '<title>Other</title>');
  await writeFile(join(made, 'assets/app.Ccu67QHf.js'), 'export {};');
  await symlink(join(dir, 'secret'), join(made, 'link.html'));
  await rename(made, site);
}

beforeAll(async () => {
  await mkdir(dir);
  await writeFile(join(dir, 'secret'), 'secret');
  await build('Kurir');
  api = await TestApi.open({ adapt: (deps) => ({ ...deps, guideFolder: site }) });
});
afterAll(async () => {
  await api.close();
  await rm(dir, { recursive: true, force: true });
});

/** The status of a request whose path no client makes tidy first. */
function statusOf(path: string): Promise<string> {
  const { port } = api.server.address() as AddressInfo;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1').setEncoding('latin1');
    socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: close\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => (answer += String(chunk)));
    socket.on('end', () => resolve(answer)).on('error', reject);
  });
}

describe('GET /docs/guide/', () => {
  test.each([
    ['/docs/guide/', '<title>Kurir</title>'],
    ['/docs/guide/campaigns.html', '<title>Campaigns</title>'],
    ['/docs/guide/decisions/', '<title>Decisions</title>'],
  ])('200: %s, under the policy of /docs', async (path, text) => {
    const answer = await api.get(path);
    expect([answer.status, answer.text]).toEqual([200, text]);
    expect(answer.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'content-security-policy': (await api.get('/docs')).headers['content-security-policy'],
      'x-content-type-options': 'nosniff',
    });
  });

  test('what has its hash in its name is kept for ever', async () => {
    const { status, headers } = await api.get('/docs/guide/assets/app.Ccu67QHf.js');
    expect([status, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
    expect(headers['content-type']).toMatch(/^text\/javascript/);
  });

  test('302: without the slash at its end; 405: POST', async () => {
    const { status, headers } = await api.get('/docs/guide');
    expect([status, headers['location']]).toEqual([302, 'guide/']);
    expect((await api.post('/docs/guide/').send({})).status).toBe(405);
  });

  test.each([
    '/docs/guide/../../secret',
    '/docs/guide/../secret',
    '/docs/guide/..%2fsecret',
    '/docs/guide/%2e%2e/secret',
    '/docs/guide/assets/..%5c..%5csecret',
    '/docs/guide//etc/passwd',
    '/docs/guide/assets',
    '/docs/guide/assets/',
    '/docs/guide/link.html',
    '/docs/guide/constructor',
    '/docs/guide/campaigns.html%00',
    '/docs/guided',
  ])('404: %s', async (path) => {
    const answer = await statusOf(path);
    expect(answer).toMatch(/^HTTP\/1\.1 404 /);
    expect(answer).not.toMatch(/\r\n\r\n(secret|root:)/);
  });

  test('the reference leads to it', async () => {
    expect((await api.get('/docs')).text).toContain('<a href="docs/guide/">Documentation</a>');
  });

  test('404: a file that is gone while the site is built again', async () => {
    expect((await api.get('/docs/guide/decisions/')).status).toBe(200);
    await rm(join(site, 'other.html'));
    expect((await api.get('/docs/guide/other.html')).status).toBe(404);
  });

  test('a site that was built again is served without a restart', async () => {
    await build('Kurir, again');
    // Two builds within one tick of the file system's clock would look alike.
    await utimes(join(site, 'index.html'), 1, 1);
    expect((await api.get('/docs/guide/')).text).toBe('<title>Kurir, again</title>');
  });

  test('where it is not built, a page says how', async () => {
    await rm(site, { recursive: true });
    const { status, text, headers } = await api.get('/docs/guide/');
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('<code>npm run docs</code>');
  });
});
