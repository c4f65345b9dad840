import { describe, expect, test } from '@jest/globals';
import { servedHosts } from '../../../api/http/served-hosts';

const hosts = (listensOn: string, publicUrl = () => 'https://Mail.Example.com:8443/base') =>
  servedHosts({ publicUrl, hosts: ['api.contoh.test'], listensOn });

describe('servedHosts', () => {
  // spec: docs/contract.md#served-hosts: the same path on other hosts is not served
  test('the host of the public URL and the configured ones', () => {
    const serves = hosts('0.0.0.0');
    expect(['mail.example.com', 'api.contoh.test', 'other.test', ''].map(serves)).toEqual([true, true, false, false]);
  });

  test.each([
    ['127.0.0.1', true],
    ['127.0.0.2', true],
    ['::1', true],
    ['localhost', true],
    ['0.0.0.0', false],
    ['::', false],
    ['192.0.2.1', false],
  ])('listening on %s, loopback names are served: %s', (listensOn, served) => {
    expect(['localhost', '127.0.0.1', '[::1]'].map(hosts(listensOn))).toEqual([served, served, served]);
  });

  test('a public URL that is only known once the port is bound counts from then on', () => {
    let url = 'http://127.0.0.1:0';
    const serves = hosts('0.0.0.0', () => url);
    expect(serves('kurir.example.com')).toBe(false);
    url = 'https://kurir.example.com';
    expect(serves('kurir.example.com')).toBe(true);
  });
});
