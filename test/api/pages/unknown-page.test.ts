import { describe, expect, it } from '@jest/globals';
import { TestApi } from '../../support/test-api';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const JSON_BODY = { message: 'Not Found.', code: 'not_found' };

const api = TestApi.ofFile();

describe('a path that does not exist', () => {
  it.each(['/foo', '/docs/foo', '/foo/bar?x=1'])('404: a page for a browser that leads on: %s', async (path) => {
    const { status, headers, text } = await api.get(path).set('Accept', BROWSER);
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers['vary']).toMatch(/Accept(,|$)/);
    expect([...text.matchAll(/ href="([^"]*)"/g)].map(([, link]) => link)).toEqual(['/', '/docs']);
  });

  it('names the path without what could be markup', async () => {
    const { text } = await api.get('/<script>alert(1)<%2Fscript>').set('Accept', BROWSER);
    expect(text).not.toContain('<script');
  });

  it.each(['*/*', 'application/json', 'application/json, text/html;q=0.5', ''])(
    '404: the JSON of the API for a program: Accept "%s"',
    async (accept) => {
      const { status, headers, body } = await api.get('/foo').set('Accept', accept);
      expect([status, headers['content-type'], body]).toEqual([404, 'application/json; charset=utf-8', JSON_BODY]);
      expect(headers['vary']).toBeUndefined();
    },
  );

  it('JSON for whoever shows a key, for writes, below /v1, and on a host that is not served', async () => {
    const { key } = await api.account();
    const authorization = `Bearer ${key}`;
    const answers = await Promise.all([
      api.get('/foo').set({ Accept: BROWSER, Authorization: authorization }),
      api.get('/v1/foo').set({ Accept: BROWSER, Authorization: authorization }),
      api.post('/foo').set('Accept', BROWSER).send({}),
      api.get('/foo').set({ Accept: BROWSER, Host: 'evil.example' }),
    ]);
    for (const { status, body } of answers) expect([status, body]).toEqual([404, JSON_BODY]);
    for (const path of ['/v1', '/v1/foo']) {
      const { status, body } = await api.get(path).set('Accept', BROWSER);
      expect([status, body]).toMatchObject([401, { code: 'missing_api_key' }]);
    }
  });
});
