import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { aMail, TestApi, type Account } from '../../support/test-api';
import { PATIENCE } from '../../support/limits';

/** How long the slow store takes for a message, ms. */
const SLOW_MS = 150;

let api: TestApi;
let account: Account;
beforeAll(async () => {
  api = await TestApi.open({
    adapt: (deps) => {
      const { messages, contacts } = deps.stores;
      const slow = async <T>(work: () => Promise<T>): Promise<T> => sleep(SLOW_MS).then(work);
      const stores = Object.create(deps.stores, {
        messages: {
          value: Object.assign(Object.create(messages) as object, {
            accept: (all: never) => slow(() => messages.accept(all)),
          }),
        },
        contacts: {
          value: Object.assign(Object.create(contacts), {
            delete: (...all: Parameters<typeof contacts.delete>) => slow(() => contacts.delete(...all)),
          }),
        },
      }) as typeof deps.stores;
      return { ...deps, stores };
    },
  });
  account = await api.account();
});
afterAll(() => api.close());

const NONSENSE = '{"behind":"the body"}';

interface Exchange {
  statuses: number[];
  bodies: string;
  /** `end`: the server ended its side; `reset`: data may have been lost; `open`: neither within the time. */
  last: 'end' | 'reset' | 'open';
}

/** Writes the parts one after the other, a moment apart, and reads until the server ends the connection. */
function exchange(parts: readonly string[], { halfClose = false, everyMs = 30 } = {}): Promise<Exchange> {
  return new Promise((resolve) => {
    const socket = connect({ port: api.port, host: '127.0.0.1', allowHalfOpen: true });
    let text = '';
    const finish = (last: Exchange['last']): void => {
      clearTimeout(timer);
      socket.destroy();
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      resolve({ statuses: statuses.filter((status) => status !== 100), bodies: text, last });
    };
    const timer = setTimeout(() => finish('open'), PATIENCE);
    socket.on('data', (data) => (text += data.toString()));
    socket.on('end', () => finish('end')).on('error', () => finish('reset'));
    void (async () => {
      for (const part of parts) {
        if (socket.writable) socket.write(part);
        await sleep(everyMs);
      }
      if (halfClose) socket.end();
    })();
  });
}

const head = (method: string, path: string, ...lines: string[]): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${account.key}`, ...lines, '', ''].join(
    '\r\n',
  );

function post(...lines: string[]): string {
  const body = JSON.stringify(aMail(account.domain));
  return (
    head('POST', '/v1/messages', 'Content-Type: application/json', `Content-Length: ${body.length}`, ...lines) + body
  );
}

/** The ids of the messages in the answers; each of them is stored. */
async function storedIds({ bodies }: Exchange): Promise<string[]> {
  const ids = [...bodies.matchAll(/"message_id":"([^"]+)"/g)].map(([, id]) => id!);
  for (const id of ids) expect(await api.stores.messages.job(id)).not.toBeNull();
  return ids;
}

describe('Bytes that are no request, behind accepted ones: the owed answers go out, then 400, then the end', () => {
  // spec: docs/contract.md#answers: the answers before an unreadable request go out first
  test.each<[string, () => string[], number[]]>([
    ['one request', () => [post() + NONSENSE], [201, 400]],
    [
      'one request and more nonsense later',
      () => [post() + NONSENSE, NONSENSE, NONSENSE, NONSENSE, NONSENSE],
      [201, 400],
    ],
    ['nonsense that comes later', () => [post(), NONSENSE], [201, 400]],
    ['two pipelined requests', () => [post() + post() + NONSENSE], [201, 201, 400]],
    ['three pipelined requests', () => [post() + post(), post() + NONSENSE], [201, 201, 201, 400]],
    ['a quick request behind a slow one', () => [post() + head('GET', '/v1/account') + NONSENSE], [201, 200, 400]],
    ['a request on a kept connection', () => [post(), ' ', ' ', '', '', '', '', post() + NONSENSE], [201, 201, 400]],
    ['a request that wants the connection closed', () => [post('Connection: close') + NONSENSE, NONSENSE], [201]],
  ])('%s', async (_what, parts, statuses) => {
    const answer = await exchange(parts().filter((part) => part !== ' '));
    expect([answer.statuses, answer.last]).toEqual([statuses, 'end']);
    expect(await storedIds(answer)).toHaveLength(statuses.filter((status) => status === 201).length);
  });

  test('a caller that has ended its side gets them too', async () => {
    const answer = await exchange([post() + post() + NONSENSE], { halfClose: true });
    expect([answer.statuses, answer.last]).toEqual([[201, 201, 400], 'end']);
  });

  test('the 400 is JSON and announces the end', async () => {
    const { bodies } = await exchange([post() + NONSENSE]);
    const last = bodies.slice(bodies.lastIndexOf('HTTP/1.1'));
    expect(last).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/);
    expect(last).toMatch(/\r\n\r\n\{"message":"Bad Request\.","code":"unreadable_request"\}$/);
  });
});

describe('A request of which only a part can be read', () => {
  const chunked = (method: string, path: string): string =>
    head(method, path, 'Content-Type: application/json', 'Transfer-Encoding: chunked');

  test('gets the 400 as its own answer, after the answers before it', async () => {
    const answer = await exchange([`${post()}${chunked('POST', '/v1/messages')}5\r\n{"to"\r\nxyz\r\n`]);
    expect([answer.statuses, answer.last]).toEqual([[201, 400], 'end']);
  });

  // spec: docs/contract.md#answers: the answers before an unreadable request go out first
  test('gets its own answer and no 400 when it is answered without its body', async () => {
    const contact = await api
      .post('/v1/contacts', account.key)
      .send({ email: 'budi@contoh.test', name: 'Budi', consent: true });
    const answer = await exchange([`${chunked('DELETE', `/v1/contacts/${String(contact.body['id'])}`)}xyz\r\n`]);
    expect([answer.statuses, answer.last]).toEqual([[200], 'end']);
  });
});

describe('A caller that ends its side behind a whole request', () => {
  test('still gets the answers', async () => {
    const answer = await exchange([post() + post()], { halfClose: true, everyMs: 0 });
    expect([answer.statuses, answer.last]).toEqual([[201, 201], 'end']);
  });
});

describe('A request with two Host headers', () => {
  const twice = 'GET /v1/account HTTP/1.1\r\nHost: localhost\r\nhost: other.example\r\n\r\n';

  // spec: docs/contract.md#answers: two Host headers: 400
  test('400, even for the same host, and the connection is closed', async () => {
    for (const request of [twice, twice.replace('other.example', 'localhost')]) {
      const answer = await exchange([request]);
      expect([answer.statuses, answer.last]).toEqual([[400], 'end']);
      expect(answer.bodies).toContain('"code":"unreadable_request"');
    }
  });

  test('400 after the answers before it, and none to what follows', async () => {
    const answer = await exchange([post() + twice + post(), post()]);
    expect([answer.statuses, answer.last]).toEqual([[201, 400], 'end']);
  });
});
