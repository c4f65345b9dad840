import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Health } from '../../../app/core/health';
import { HttpServer } from '../../../app/services/http-server';
import { rawRequest } from '../../support/raw-http';

const config = { httpHost: '127.0.0.1', tls: null, apiRatePerMinute: 60, trustedHops: 0 };
const server = new HttpServer(config, { port: 0, of: 'REST API', name: 'KURIR_HTTP_PORT' }, new Health());
let port = 0;
beforeAll(async () => {
  port = await server.listen();
});
afterAll(() => server.close(0));

const GET = 'GET /v1/account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';

describe('The HTTP port', () => {
  // spec: docs/contract.md#request-rate: X-RateLimit-Limit and X-RateLimit-Remaining on every response
  it('answers 503 with the full window while the service starts: nothing is counted yet', async () => {
    for (let calls = 0; calls < 2; calls++) {
      const { status, headers, body } = await rawRequest(port, [GET]);
      expect([status, JSON.parse(body)]).toEqual([503, { message: 'Service Unavailable', code: 'starting' }]);
      expect(headers).toMatchObject({
        'retry-after': '1',
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '60',
      });
    }
  });

  it('answers 400 with the full window while the service starts', async () => {
    const { status, headers } = await rawRequest(port, ['nonsense\r\n\r\n']);
    expect(status).toBe(400);
    expect(headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '60' });
  });

  it('has what cannot be read counted once it serves', async () => {
    const counted: string[] = [];
    server.serve(
      (_req, res) => void res.end('served'),
      async (address) => ({ limit: 60, remaining: 60 - counted.push(address) }),
    );
    expect((await rawRequest(port, [GET])).body).toBe('served');
    expect((await rawRequest(port, ['nonsense\r\n\r\n'])).headers).toMatchObject({ 'x-ratelimit-remaining': '59' });
    expect(counted).toEqual(['127.0.0.1']);
  });
});
