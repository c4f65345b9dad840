import { describe, expect, test } from '@jest/globals';
import { PUBLIC, targetsOf } from './endpoint';

const verdict = async (url: string, change: Parameters<typeof targetsOf>[0] = {}): Promise<string | string[]> => {
  const target = await targetsOf(change).find(url);
  return target.ok ? target.addresses : target.fault;
};

describe('what webhooks may reach', () => {
  test('https, and names of which every address is public', async () => {
    expect(await verdict('https://hooks.contoh.test/in')).toEqual([PUBLIC]);
    expect(await verdict('http://hooks.contoh.test/in')).toBe('not_https');
    for (const bad of ['10.0.0.1', '::1', 'no address']) {
      expect(await verdict('https://a.test/', { resolveHost: () => Promise.resolve([PUBLIC, bad]) })).toBe('internal');
    }
    expect(await verdict('https://a.test/', { resolveHost: () => Promise.resolve([]) })).toBe('unresolved');
    expect(await verdict('https://a.test/', { resolveHost: () => Promise.reject(new Error('late')) })).toBe(
      'unanswered',
    );
  });

  test('addresses in a URL are not looked up', async () => {
    const resolveHost = (): never => {
      throw new Error('looked up');
    };
    expect(await verdict('https://8.8.8.8/', { resolveHost })).toEqual(['8.8.8.8']);
    expect(await verdict('https://[2606:4700::1111]:8443/', { resolveHost })).toEqual(['2606:4700::1111']);
  });

  test('callers that ask for one name at once share the look-up, later ones do not', async () => {
    let asked = 0;
    const targets = targetsOf({ resolveHost: () => (asked++, Promise.resolve([PUBLIC])) });
    await Promise.all([1, 2, 3].map(() => targets.find('https://a.contoh.test/')));
    expect(asked).toBe(1);
    await targets.find('https://a.contoh.test/');
    expect(asked).toBe(2);
  });
});

describe('private hosts', () => {
  const privateHosts = ['localhost', '10.0.0.7', 'fd00::1', 'shop.internal'];

  // spec: docs/contract.md#webhook-url: KURIR_WEBHOOK_PRIVATE_HOSTS: exact hosts, also private, also plain http
  test.each([
    ['http://localhost:3000/in', ['127.0.0.1']],
    ['https://localhost/', ['127.0.0.1']],
    ['http://LOCALHOST./', ['127.0.0.1']],
    ['http://shop.internal:8080/', ['127.0.0.1']],
    ['http://10.0.0.7/', ['10.0.0.7']],
    ['https://0xa.7:8443/', ['10.0.0.7']],
    ['http://[fd00:0::1]/', ['fd00::1']],
  ])('may be private, and need no TLS: %s', async (url, addresses) => {
    expect(await verdict(url, { privateHosts })).toEqual(addresses);
  });

  // spec: docs/contract.md#webhook-url: the refusal of a local address names it
  test.each([
    ['http://127.0.0.1/', 'internal'],
    ['https://127.0.0.1/', 'internal'],
    ['https://10.0.0.8/', 'internal'],
    ['https://[::ffff:10.0.0.7]/', 'internal'],
    ['http://a.localhost/', 'internal'],
    ['http://localhost.contoh.test/', 'not_https'],
    ['http://user@localhost/', 'credentials'],
    ['http://@localhost/', 'credentials'],
    ['http://localhost:0/', 'invalid'],
    ['http:localhost/', 'invalid'],
    ['http:///localhost/', 'invalid'],
    ['http://localhost\\@a.test/', 'invalid'],
    ['ftp://localhost/', 'not_https'],
    ['ws://localhost/', 'not_https'],
    ['http://localhost@10.0.0.8/', 'internal'],
  ])('are exact: %s is %s', async (url, fault) => {
    expect(await verdict(url, { privateHosts })).toBe(fault);
  });

  test('are looked up as this machine does, others in DNS only', async () => {
    const resolveLocally = () => Promise.resolve(['192.168.0.9']);
    expect(await verdict('http://shop.internal/', { privateHosts, resolveLocally })).toEqual(['192.168.0.9']);
    expect(await verdict('https://other.contoh.test/', { privateHosts, resolveLocally })).toEqual([PUBLIC]);
  });
});

describe('hooks of the sandbox', () => {
  const ownHooks = () => 'http://127.0.0.1:8080/sandbox/hooks/';

  test.each(['shop', '500', 'a-b_c.d~e', 'shop?x=1', 'shop#part', 'a/../shop', './shop'])(
    'may be private: %s',
    async (name) => {
      expect(await verdict(`http://127.0.0.1:8080/sandbox/hooks/${name}`, { ownHooks })).toEqual(['127.0.0.1']);
    },
  );

  test.each([
    'http://127.0.0.1:8080/sandbox/hooks/',
    'http://127.0.0.1:8080/sandbox/hooks',
    'http://127.0.0.1:8080/sandbox/hooks/../inbox',
    'http://127.0.0.1:8080/sandbox/hooks/%2e%2e/inbox',
    'http://127.0.0.1:8080/sandbox/hooks/.%2E/inbox',
    'http://127.0.0.1:8080/sandbox/hooks/..%2finbox',
    'http://127.0.0.1:8080/sandbox/hooks/..%2e',
    'http://127.0.0.1:8080/sandbox/hooks/a/b',
    'http://127.0.0.1:8080/sandbox/hooks/a%00',
    'http://127.0.0.1:8080/sandbox/hooks/a;b',
    'http://127.0.0.1:8080/sandbox/hooksshop',
    'http://127.0.0.1:8080/Sandbox/hooks/shop',
    'http://127.0.0.1:8080/v1/messages',
    'http://127.0.0.1:8081/sandbox/hooks/shop',
    'http://127.0.0.1/sandbox/hooks/shop',
    'http://127.0.0.2:8080/sandbox/hooks/shop',
    'http://localhost:8080/sandbox/hooks/shop',
    'http://127.0.0.1.:8081/sandbox/hooks/shop',
  ])('other URLs are not: %s', async (url) => {
    expect(await verdict(url, { ownHooks })).toBe('internal');
  });

  test.each([
    ['https://127.0.0.1:8080/sandbox/hooks/shop', 'internal'],
    ['http://user:pass@127.0.0.1:8080/sandbox/hooks/shop', 'credentials'],
    ['http://@127.0.0.1:8080/sandbox/hooks/shop', 'credentials'],
    ['http://127.0.0.1:8080\\sandbox\\hooks\\shop', 'invalid'],
  ])('nor is %s: %s', async (url, fault) => {
    expect(await verdict(url, { ownHooks })).toBe(fault);
  });

  test('are those of the public URL of the moment, with its path', async () => {
    let base: string | null = null;
    const change = { ownHooks: () => base };
    const url = 'http://mail.contoh.test/app/sandbox/hooks/shop';
    expect(await verdict(url, change)).toBe('not_https');
    base = 'http://mail.contoh.test/app/sandbox/hooks/';
    expect(await verdict(url, change)).toEqual(['127.0.0.1']);
  });
});
