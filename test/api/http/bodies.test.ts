import { describe, expect, test } from '@jest/globals';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { connect } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import type { ErrorBody } from '../../../api/errors';
import { rawRequest } from '../../support/raw-http';
import { aMail, TestApi } from '../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfFile();

const MIB = 1024 * 1024;

/** Posts bytes as they are, where supertest would serialise them. */
const postBytes = (body: Buffer | string, headers: Record<string, string>) =>
  new Promise<{ status: number; headers: IncomingHttpHeaders; body: ErrorBody & { message_id: string } }>(
    (resolve, reject) => {
      const req = httpRequest({
        port: api.port,
        path: '/v1/messages',
        method: 'POST',
        headers: { Authorization: `Bearer ${account.key}`, ...headers },
      });
      req.on('error', reject).on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({
            status: res.statusCode!,
            headers: res.headers,
            body: JSON.parse(Buffer.concat(chunks).toString()),
          }),
        );
      });
      req.end(body);
    },
  );
const json = { 'Content-Type': 'application/json' };
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

const head = (...lines: string[]): string =>
  ['POST /v1/messages HTTP/1.1', 'Host: localhost', `Authorization: Bearer ${account.key}`, ...lines, '', ''].join(
    '\r\n',
  );

describe('Request format', () => {
  // spec: docs/contract.md#request-bodies: request format: JSON
  test('201: JSON', async () => {
    expect((await postBytes(JSON.stringify(aMail(account.domain)), json)).status).toBe(201);
  });

  test.each(['application/json; charset=utf-8', 'Application/JSON;charset="UTF-8"', 'application/json ; charset=utf8'])(
    '201: JSON as %s',
    async (type) => {
      expect((await postBytes(JSON.stringify(aMail(account.domain)), { 'Content-Type': type })).status).toBe(201);
    },
  );

  test('201: JSON with a byte order mark', async () => {
    expect((await postBytes(`\uFEFF${JSON.stringify(aMail(account.domain))}`, json)).status).toBe(201);
  });

  // spec: docs/contract.md#request-bodies: request format: form
  test('201: form, numbers as text, metadata and attachments in brackets', async () => {
    const body = new URLSearchParams({
      to: 'budi+form@contoh.test',
      subject: 'Halo',
      html: '<p>100% &amp; lebih</p>',
      sending_domain_id: String(account.domain.id),
      'metadata[order]': ' 17 ',
      'metadata[constructor]': 'x',
      'attachments[0][filename]': 'a.txt',
      'attachments[0][content]': 'QUJD',
    }).toString();
    const { status, body: answer } = await postBytes(body, form);
    expect(status).toBe(201);
    const job = await api.stores.messages.job(answer.message_id);
    expect(job?.message).toMatchObject({ to: 'budi+form@contoh.test', metadata: { order: ' 17 ', constructor: 'x' } });
    expect(job?.body?.html).toBe('<p>100% &amp; lebih</p>');
    expect(job?.attachments).toEqual([{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('ABC') }]);
  });

  /** Posts a form as it is written; answers the message as it was stored. */
  const formJob = async (fields: string) => {
    const required = `to=budi@contoh.test&subject=x&sending_domain_id=${account.domain.id}`;
    const { body } = await postBytes(`${required}&${fields}`, form);
    return api.stores.messages.job(body.message_id);
  };

  test.each([
    'metadata[0]=x',
    'metadata[0]=x&metadata[1]=y',
    'metadata[17]=x',
    'metadata[__proto__]=z&metadata[toString]=y',
    'metadata%5B__proto__%5D=z',
  ])('201: %s in a form is the object it would be in JSON', async (fields) => {
    const pairs = fields.split('&').map((pair) => /^metadata(?:\[|%5B)(\w+)(?:\]|%5D)=(\w)$/.exec(pair)!.slice(1));
    const job = await formJob(`html=x&${fields}`);
    expect(Object.entries(job!.message.metadata!)).toEqual(pairs);
  });

  test.each(['<p>a[0]=b</p>', '[]=', 'a]=b[c]=d', '=', '%5B0%5D=x'])(
    '201: a form value may hold brackets and equals signs: %s',
    async (html) => {
      expect((await formJob(`html=${html}`))?.body?.html).toBe(decodeURIComponent(html));
    },
  );

  test('201: attachments of a form are counted from any number, or with empty brackets', async () => {
    const fields = ['3][filename]=b.txt', '3][content]=Qg==', '1][filename]=a.txt', '1][content]=QQ=='];
    const counted = await formJob(`html=x&${fields.map((field) => `attachments[${field}`).join('&')}`);
    expect(counted?.attachments.map(({ filename }) => filename)).toEqual(['a.txt', 'b.txt']);
    const single = await formJob('html=x&attachments[][filename]=a.txt&attachments[][content]=QQ==');
    expect(single?.attachments.map(({ filename }) => filename)).toEqual(['a.txt']);
  });

  test.each([
    ['to[]=budi@contoh.test', 'to', 'must be a string.'],
    ['to[a]=budi@contoh.test', 'to', 'must be a string.'],
    ['to=a@contoh.test&to[b]=c', 'to', 'must be a string.'],
    ['metadata[]=x', 'metadata', 'must be an object.'],
    ['metadata[a]=1&metadata[a]=2', 'metadata.a', 'must be a string, a number, a boolean or null.'],
    ['metadata[a][b]=1', 'metadata.a', 'must be a string, a number, a boolean or null.'],
    ['metadata[a', 'metadata', 'must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -'],
    ['metadata[a]b=1', 'metadata', 'must have keys of 1 to 40 characters out of A-Z a-z 0-9 _ . -'],
    ['attachments[filename]=a.txt', 'attachments', 'must be an array.'],
    ['attachments[]=a.txt', 'attachments.0', 'must be an object.'],
    [
      Array.from({ length: 101 }, (_, n) => `attachments[${n}][filename]=a.txt&attachments[${n}][content]=QQ==`).join(
        '&',
      ),
      'attachments',
      'must not have more than 10 items.',
    ],
  ])('422: the form %p', async (fields, field, rest) => {
    const { status, body } = await postBytes(fields, form);
    expect(status).toBe(422);
    expect(body.errors?.[field]).toEqual([`The ${field} field ${rest}`]);
  });

  test('201: a bare percent sign in a form stands for itself', async () => {
    const body = `to=budi@contoh.test&subject=Diskon 100% hari ini&html=x&sending_domain_id=${account.domain.id}`;
    const answer = await postBytes(body, form);
    const job = await api.stores.messages.job(answer.body.message_id);
    expect(job?.message.subject).toBe('Diskon 100% hari ini');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ] as const)('201: a body compressed by %s', async (encoding, compress) => {
    const body = compress(JSON.stringify(aMail(account.domain)));
    expect((await postBytes(body, { ...json, 'Content-Encoding': encoding })).status).toBe(201);
  });

  test('422: no body is one without fields', async () => {
    const { status, body } = await api.post('/v1/messages', account.key);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['to', 'sending_domain_id', 'subject', 'html']);
  });
});

describe('400: malformed bodies', () => {
  // spec: docs/contract.md#request-bodies: broken bodies: 400, 413, 415
  test.each([
    ['broken JSON', '{"to": ', json],
    ['JSON with something behind it', '{} {}', json],
    ['a single quote', "{'to': 1}", json],
    ['bytes that are not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
    ['a form with bytes that are not UTF-8', Buffer.from('to=\xff', 'latin1'), form],
    ['a form with escapes that are not UTF-8', 'subject=%FF%FE', form],
    ['a form with too many fields', 'a=1&'.repeat(1_001), form],
    ['a form nested too deeply', `metadata${'[a]'.repeat(50_000)}=1`, form],
    ['something else than gzip', 'not compressed', { ...json, 'Content-Encoding': 'gzip' }],
    ['half a gzip', gzipSync('{"a":1}').subarray(0, 12), { ...json, 'Content-Encoding': 'gzip' }],
    ['100,000 nested lists', '['.repeat(100_000), json],
    ['100,000 nested and closed lists', '['.repeat(100_000) + ']'.repeat(100_000), json],
    ['100,000 nested objects', '{"a":'.repeat(100_000), json],
    ['100,000 levels in an unknown field', `{"x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}}`, json],
    ['a million small members', `{${'"a":1,'.repeat(1_000_000)}"b":1}`, json],
  ])('%s', async (_what, body, headers) => {
    const answer = await postBytes(body, headers);
    expect(answer.status).toBe(400);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.body).toEqual({ message: expect.stringMatching(/^The .+\.$/), code: 'malformed_body' });
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
  });
});

describe('422: JSON that is no object', () => {
  test.each(['[]', '"text"', '17', 'null', 'true'])('%s', async (body) => {
    const answer = await postBytes(body, json);
    expect([answer.status, answer.body.message]).toEqual([422, 'The request body must be a JSON object.']);
  });
});

describe('415', () => {
  // spec: docs/contract.md#request-bodies: broken bodies: 400, 413, 415
  test.each([
    ['text', { 'Content-Type': 'text/plain' }],
    ['multipart', { 'Content-Type': 'multipart/form-data; boundary=x' }],
    ['a name of Object.prototype', { 'Content-Type': 'constructor' }],
    ['an encoding with a name of Object.prototype', { ...json, 'Content-Encoding': 'constructor' }],
    ['another charset', { 'Content-Type': 'application/json; charset=iso-8859-1' }],
    ['an unknown encoding', { ...json, 'Content-Encoding': 'zstd' }],
    ['two encodings', { ...json, 'Content-Encoding': 'gzip, gzip' }],
  ])('%s', async (_what, headers) => {
    const answer = await postBytes('{}', headers);
    expect([answer.status, answer.body.code]).toEqual([415, 'unsupported_media_type']);
    expect(answer.headers).toHaveProperty('x-ratelimit-limit');
  });

  test('a body without a Content-Type', async () => {
    const answer = await rawRequest(api.port, [head('Content-Length: 2'), '{}']);
    expect(answer.status).toBe(415);
  });
});

describe('413: more than 20 MiB, or 4 MiB as a form', () => {
  /** Sends `size` bytes through node:http and answers what came back. */
  const upload = (size: number, headers: Record<string, string | number>) =>
    new Promise<{ status: number; connection: string | undefined; body: string }>((resolve, reject) => {
      const req = httpRequest({
        port: api.port,
        path: '/v1/messages',
        method: 'POST',
        headers: { Authorization: `Bearer ${account.key}`, ...json, ...headers },
      });
      req.on('error', reject).on('response', (res) => {
        const chunks: Buffer[] = [];
        res.on('data', (chunk: Buffer) => chunks.push(chunk));
        res.on('end', () =>
          resolve({
            status: res.statusCode!,
            connection: res.headers.connection,
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
      const chunk = Buffer.alloc(MIB, 0x20);
      for (let sent = 0; sent < size; sent += chunk.length) req.write(chunk.subarray(0, size - sent));
      req.end();
    });

  // spec: docs/contract.md#request-bodies: broken bodies: 400, 413, 415
  test('a Content-Length above it is answered, and the connection closed', async () => {
    const answer = await upload(25 * MIB, { 'Content-Length': 25 * MIB });
    expect([answer.status, answer.connection]).toEqual([413, 'close']);
    expect(JSON.parse(answer.body)).toEqual({
      message: 'The request body must not be greater than 20 MB.',
      code: 'body_too_large',
    });
  });

  // spec: docs/contract.md#request-bodies: request body max 20 MB
  test('a chunked body that grows above it', async () => {
    expect(await upload(22 * MIB, {})).toMatchObject({ status: 413, connection: 'close' });
  });

  // spec: docs/contract.md#request-bodies: request body max 20 MB
  test('exactly 20 MiB are read', async () => {
    expect((await upload(20 * MIB, { 'Content-Length': 20 * MIB })).status).toBe(400);
  });

  // spec: docs/contract.md#request-bodies: a form max 4 MB
  test.each(['+', '%', '%41', 'a=b&', '[a]'])('a form of 19 MB of %s', async (piece) => {
    const answer = await postBytes(piece.repeat((19 * MIB) / piece.length), form);
    expect([answer.status, answer.body]).toEqual([
      413,
      { message: 'A form must not be greater than 4 MB.', code: 'body_too_large' },
    ]);
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
  });

  test('a form that decompresses to more than 4 MiB', async () => {
    const answer = await postBytes(gzipSync(`html=${'+'.repeat(4 * MIB)}`), { ...form, 'Content-Encoding': 'gzip' });
    expect(answer.status).toBe(413);
  });

  test('a form of one byte more than 4 MiB', async () => {
    expect((await postBytes('x'.repeat(4 * MIB + 1), form)).status).toBe(413);
  });

  // spec: docs/contract.md#request-bodies: a form max 4 MB
  test('exactly 4 MiB of a form are read', async () => {
    const answer = await postBytes(`html=${'x'.repeat(4 * MIB - 5)}`, form);
    expect([answer.status, answer.body.errors?.['html']]).toEqual([
      422,
      ['The html field must not be greater than 500000 characters.'],
    ]);
  });

  // spec: docs/contract.md#request-bodies: request body max 20 MB
  test('a small body that decompresses to more', async () => {
    const body = gzipSync(Buffer.alloc(21 * MIB, 0x20));
    expect(body.length).toBeLessThan(MIB);
    const answer = await postBytes(body, { ...json, 'Content-Encoding': 'gzip' });
    expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
  });

  test('a decompressing body leaves the connection usable', async () => {
    const bomb = gzipSync(Buffer.alloc(300 * MIB, 0x20));
    expect(bomb.length).toBeGreaterThan(128 * 1024);
    const lines = ['Content-Type: application/json', 'Content-Encoding: gzip', `Content-Length: ${bomb.length}`];
    const answer = await rawRequest(
      api.port,
      [head(...lines), bomb, 'GET /v1/account HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n'],
      { quietMs: 5_000 },
    );
    expect(answer.status).toBe(413);
    expect(answer.body).toContain('"code":"body_too_large"');
    expect(answer.body).toContain('HTTP/1.1 401 Unauthorized');
    expect(answer.closed).toBe(true);
  });

  test('an endless body is not read endlessly: the answer, then a bounded amount, then the end', async () => {
    const { sent, answer } = await new Promise<{ sent: number; answer: string }>((resolve) => {
      const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`);
      const socket = connect(api.port, '127.0.0.1');
      let [sent, answer] = [0, ''];
      const more = (): void => {
        do sent += chunk.length;
        while (socket.writable && socket.write(chunk));
      };
      socket.on('error', () => {}).on('data', (data) => (answer += data.toString()));
      socket.on('close', () => resolve({ sent, answer })).on('drain', more);
      socket.write(head('Content-Type: application/json', 'Transfer-Encoding: chunked'));
      more();
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 [^]*\r\nConnection: close\r\n[^]*"code":"body_too_large"}$/);
    expect(sent).toBeGreaterThan(20 * MIB);
    expect(sent).toBeLessThan(120 * MIB);
  });
});

describe('A caller that goes away', () => {
  test.each([
    ['in the middle of a body', [] as string[]],
    ['in the middle of a compressed body', ['Content-Encoding: gzip']],
  ])('%s leaves the service up', async (_when, extra) => {
    const part = gzipSync(Buffer.alloc(100_000, 'x')).subarray(0, 40);
    await rawRequest(api.port, [head('Content-Type: application/json', 'Content-Length: 1000', ...extra), part], {
      hangUp: true,
    });
    expect((await api.get('/v1/domains', account.key)).status).toBe(200);
    expect(api.logged).toEqual([]);
  });

  test('Expect: 100-continue is answered, then the request', async () => {
    const body = JSON.stringify(aMail(account.domain));
    const answer = await rawRequest(api.port, [
      head('Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue'),
      body,
    ]);
    expect(answer.status).toBe(100);
    expect(answer.body).toContain('HTTP/1.1 201 Created');
  });

  test('another Expect is ignored', async () => {
    const body = JSON.stringify(aMail(account.domain));
    const lines = ['Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: miracles'];
    expect((await rawRequest(api.port, [head(...lines), body])).status).toBe(201);
  });
});

describe('An answer before the body was read', () => {
  test('401: the connection stays usable when the body is small', async () => {
    const request = 'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}';
    const answer = await rawRequest(api.port, [request, request]);
    expect(answer.status).toBe(401);
    expect(answer.body.match(/HTTP\/1\.1 401/g)).toHaveLength(1);
    expect(answer.closed).toBe(false);
  });

  test('401: the answer to a large upload arrives and the connection is closed', async () => {
    const parts = ['POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n'];
    const answer = await rawRequest(api.port, [...parts, Buffer.alloc(5_000_000)], { quietMs: 2_000 });
    expect([answer.status, answer.headers['connection'], answer.closed]).toEqual([401, 'close', true]);
    expect(JSON.parse(answer.body)).toMatchObject({ message: 'Missing API key.' });
  });
});

describe('What never becomes a request', () => {
  test.each([
    ['nonsense', 'nonsense\r\n\r\n', 400],
    ['headers of 40 kB', `GET /v1/account HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`, 431],
    [
      'two lengths',
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
      400,
    ],
    [
      'length and chunks',
      'POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
      400,
    ],
  ])('%s', async (_what, bytes, status) => {
    const answer = await rawRequest(api.port, [bytes]);
    expect(answer.status).toBe(status);
  });

  // spec: docs/contract.md#answers: response format: always JSON, including errors; `Accept` is optional
  test('is answered in JSON as well', async () => {
    const answer = await rawRequest(api.port, ['nonsense\r\n\r\n']);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(JSON.parse(answer.body)).toEqual({ message: 'Bad Request.', code: 'unreadable_request' });
    expect(answer.closed).toBe(true);
  });
});
