import { describe, expect, test } from '@jest/globals';
import { runInNewContext } from 'node:vm';
import { themeScript } from '../../../api/docs/theme-script';
import { TestApi } from '../../support/test-api';

const api = TestApi.ofFile({ ratePerMinute: 2 });

const assetsOf = (html: string): string[] =>
  [...html.matchAll(/(?:href|src)="(docs\/[0-9a-f]{12}\/[^"]+)"/g)].map(([, path]) => `/${path}`);

describe('GET /v1/openapi.json', () => {
  // spec: docs/contract.md#answers: bodies as JSON only, forms in words
  test('200: the document, to anybody, and not counted by the rate limit', async () => {
    for (let i = 0; i < 5; i++) {
      const { status, headers, body } = await api.get('/v1/openapi.json');
      expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
      expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: 'https://mail.example.com/v1' }] });
    }
    expect((await api.get('/v1/account')).headers['x-ratelimit-remaining']).toBe('1');
  });

  test('304: for whoever has it', async () => {
    const { headers } = await api.get('/v1/openapi.json');
    expect([headers['cache-control'], headers['vary']]).toEqual(['no-cache', 'Accept-Encoding']);
    const again = await api.get('/v1/openapi.json').set('If-None-Match', headers['etag']!);
    expect([again.status, again.text]).toEqual([304, '']);
    expect((await api.get('/v1/openapi.json').set('If-None-Match', '"another"')).status).toBe(200);
  });

  test('the same, compressed and not', async () => {
    const plain = await api.get('/v1/openapi.json').set('Accept-Encoding', 'identity');
    const packed = await api.get('/v1/openapi.json').set('Accept-Encoding', 'gzip');
    expect([plain.headers['content-encoding'], packed.headers['content-encoding']]).toEqual([undefined, 'gzip']);
    expect(packed.body).toEqual(plain.body);
  });

  test('while the operator has switched the API off, too', async () => {
    await api.stores.settings.set('switches', { api: false });
    expect((await api.get('/v1/openapi.json')).status).toBe(200);
    await api.stores.settings.set('switches', {});
  });

  test('405: POST; 404: on a host that is not served', async () => {
    const posted = await api.post('/v1/openapi.json').send({});
    expect([posted.status, posted.headers['allow'], posted.body.code]).toEqual([
      405,
      'GET, HEAD',
      'method_not_allowed',
    ]);
    expect((await api.get('/v1/openapi.json').set('Host', 'evil.example')).status).toBe(404);
  });

  test('no CORS headers', async () => {
    const { headers } = await api.get('/v1/openapi.json').set('Origin', 'https://app.example');
    expect(Object.keys(headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
  });
});

describe('GET /docs', () => {
  // spec: docs/contract.md#answers: its page
  test('a page without inline script or style that may load from its own host only', async () => {
    const { status, headers, text } = await api.get('/docs');
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
        "form-action 'none'; base-uri 'none'; frame-ancestors 'none'",
    );
    expect(text).not.toMatch(/<style|<script>|\son\w+=|style=|https?:/);
  });

  test('its assets come from here and are kept for ever', async () => {
    const assets = assetsOf((await api.get('/docs')).text);
    expect(assets.map((path) => path.replace(/^.*\//, ''))).toEqual([
      'favicon-32x32.png',
      'swagger-ui.css',
      'docs.css',
      'theme.js',
      'swagger-ui-bundle.js',
      'docs.js',
    ]);
    for (const path of assets) {
      const { status, headers } = await api.get(path);
      expect([path, status, headers['cache-control']]).toEqual([path, 200, 'public, max-age=31536000, immutable']);
      expect(headers['x-content-type-options']).toBe('nosniff');
    }
  });

  test('leads back to the start page, and says how to try a call', async () => {
    const { text } = await api.get('/docs');
    expect(text).toContain('<a class="name" href="./">Kurir</a>');
    expect(text).toContain('click Authorize and enter an API key');
  });

  test('says where the key of the demo is only to those who may know', async () => {
    expect((await api.get('/docs')).text).not.toContain('first-run.json');
    const local = await TestApi.open({ adapt: (deps) => ({ ...deps, mayHintAtDemo: () => Promise.resolve(true) }) });
    try {
      expect((await local.get('/docs')).text).toContain('<code>first-run.json</code>');
    } finally {
      await local.close();
    }
  });

  test('follows light and dark, as the other pages do', async () => {
    const assets = assetsOf((await api.get('/docs')).text);
    const { text } = await api.get(assets.find((path) => path.endsWith('docs.css'))!);
    expect(text).toContain('@media (prefers-color-scheme: dark)');
    const classes = new Set<string>();
    let change = (): void => undefined;
    const query = { matches: true, addEventListener: (_name: string, then: () => void) => void (change = then) };
    const toggle = (name: string, on: boolean): unknown => (on ? classes.add(name) : classes.delete(name));
    runInNewContext(themeScript, {
      document: { documentElement: { classList: { toggle } } },
      window: { matchMedia: () => query },
    });
    expect([...classes]).toEqual(['dark-mode']);
    query.matches = false;
    change();
    expect([...classes]).toEqual([]);
  });

  test('the page of another version gets the assets of this one, for now', async () => {
    const { status, headers } = await api.get('/docs/000000000000/docs.js');
    expect([status, headers['cache-control']]).toEqual([200, 'no-cache']);
  });

  test.each([
    '/docs/000000000000/package.json',
    '/docs/000000000000/..%2fpackage.json',
    '/docs/000000000000/constructor',
    '/docs/000000000000/',
    '/docs/docs.js',
    '/docs/swagger-ui/docs.js',
  ])('404: %s', async (path) => {
    const { status, body } = await api.get(path);
    expect([status, body]).toEqual([404, { message: 'Not Found.', code: 'not_found' }]);
  });

  test('302: with a slash at its end; 405: POST; 404: on a host that is not served', async () => {
    const slash = await api.get('/docs/');
    expect([slash.status, slash.headers['location']]).toEqual([302, '../docs']);
    expect((await api.post('/docs').send({})).status).toBe(405);
    expect((await api.get('/docs').set('Host', 'evil.example')).status).toBe(404);
  });
});
