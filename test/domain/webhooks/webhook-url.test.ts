import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isPublicAddress } from '../../../domain/webhooks/public-address';
import { readWebhookUrl } from '../../../domain/webhooks/webhook-url';
import { DISGUISES, TUNNELS, type Bytes } from '../../support/private-forms';

const verdict = (url: string): string => {
  const read = readWebhookUrl(url);
  if (!read.ok) return read.fault;
  return read.host.kind === 'name' ? read.host.name : 'public';
};

/** The IPv4 it leads to, or why it does not. */
const reached = (url: string): string => {
  const read = readWebhookUrl(url);
  if (!read.ok) return read.fault;
  return read.host.kind === 'name' ? read.host.name : read.host.bytes.slice(-4).join('.');
};

const byte = fc.nat(255);
/** Half of them out of the blocks that are not public. */
const ipv4: fc.Arbitrary<Bytes> = fc.oneof(
  fc.tuple(byte, byte, byte, byte),
  fc.tuple(fc.constantFrom(0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 240, 255), byte, byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
);

describe('the host of a webhook', () => {
  // spec: docs/contract.md#webhook-url: POST /webhooks: not pointing to an internal/private network
  test.each(Object.entries(DISGUISES))('an IPv4 written as %s is judged as the plain address', (_, disguise) => {
    fc.assert(
      fc.property(ipv4, (bytes) => {
        const plain = isPublicAddress(bytes) ? bytes.join('.') : 'internal';
        expect(reached(`https://${disguise(bytes)}/hook`)).toBe(plain);
      }),
      { numRuns: 100 },
    );
  });

  // spec: docs/contract.md#webhook-url: POST /webhooks: not pointing to an internal/private network
  test.each(Object.entries(TUNNELS))('an IPv4 carried as %s is never public', (_, tunnel) => {
    fc.assert(
      fc.property(ipv4, (bytes) => expect(verdict(`https://${tunnel(bytes)}/hook`)).toBe('internal')),
      { numRuns: 100 },
    );
  });

  test.each([
    'https://localhost/',
    'https://LOCALHOST./',
    'https://api.localhost/',
    'https://ⓛocal\u00adhost/',
    'https://intranet/',
    'https://intranet./',
    'https://[::1]/',
    'https://[::]/',
    'https://[fe80::1]/',
    'https://[fd00:ec2::254]/',
    'https://169.254.169.254/latest/meta-data/',
    'https://0/',
    'https://255.255.255.255/',
  ])('%s is internal', (url) => expect(verdict(url)).toBe('internal'));

  test.each([
    ['https://hooks.contoh.test/kurir?a=1#part', 'hooks.contoh.test'],
    ['HTTPS://Hooks.Contoh.Test./', 'hooks.contoh.test'],
    ['https://bücher.example/', 'xn--bcher-kva.example'],
    ['https://例え.テスト/', 'xn--r8jz45g.xn--zckzah'],
    ['https://hooks.contoh.test:8443/', 'hooks.contoh.test'],
    ['https://a_b.contoh.test/', 'a_b.contoh.test'],
    ['https://printer.local/', 'printer.local'],
    ['https://metadata.google.internal/', 'metadata.google.internal'],
    ['https://localhost.contoh.test/', 'localhost.contoh.test'],
    ['https://127.0.0.1.nip.test/', '127.0.0.1.nip.test'],
    ['https://hooks.contoh.test/@x:y', 'hooks.contoh.test'],
    ['https://hooks.contoh.test?@x', 'hooks.contoh.test'],
  ])('%s is the name %s, whose addresses tell', (url, name) => expect(verdict(url)).toBe(name));
});

describe('the URL of a webhook', () => {
  // spec: docs/contract.md#webhook-url: POST /webhooks: url required, https
  test.each([
    'http://hooks.contoh.test/',
    'ftp://hooks.contoh.test/',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:text/plain,x',
    'wss://hooks.contoh.test/',
    'hooks.contoh.test:443',
  ])('%s is not https', (url) => expect(verdict(url)).toBe('not_https'));

  // spec: docs/contract.md#webhook-url: POST /webhooks: no username/password
  test.each([
    'https://budi:rahasia@hooks.contoh.test/',
    'https://budi@hooks.contoh.test/',
    'https://:rahasia@hooks.contoh.test/',
    'https://@hooks.contoh.test/',
    'https://hooks.contoh.test@127.0.0.1/',
    'https://127.0.0.1@hooks.contoh.test/',
    'https://x%40y@hooks.contoh.test/',
  ])('%s has a user name or a password', (url) => expect(verdict(url)).toBe('credentials'));

  test.each([
    'hooks.contoh.test',
    '//hooks.contoh.test/',
    'https:',
    'https://',
    'https:///hooks.contoh.test/',
    'https:hooks.contoh.test',
    'https:\\\\hooks.contoh.test\\',
    'https://hooks.contoh.test\\@127.0.0.1/',
    'https://hooks.contoh.test/a b',
    'https://hooks.con\ttoh.test/',
    'https://hooks.contoh.test/\n',
    'https://hooks.contoh.test/\u0000',
    'https://hooks.contoh.test/\ud800',
    'https://hooks.contoh.test:0/',
    'https://hooks.contoh.test:65536/',
    'https://hooks.contoh.test:x/',
    'https://hooks..contoh.test/',
    'https://.contoh.test/',
    'https://contoh.test../',
    'https://./',
    'https://-hooks.contoh.test/',
    'https://hooks-.contoh.test/',
    'https://ho*ks.contoh.test/',
    "https://ho'oks.contoh.test/",
    `https://${'a'.repeat(64)}.contoh.test/`,
    'https://[::1',
    'https://[fe80::1%25eth0]/',
    'https://[fe80::1%eth0]/',
    'https://[1.2.3.4]/',
    'https://1.2.3.4.5/',
    'https://256.0.0.1/',
    'https://contoh.1/',
    'https://xn--/',
    'https://exa%6dple.com%2f.contoh.test/',
    '',
  ])('%j is not valid', (url) => expect(verdict(url)).toBe('invalid'));

  test('never throws and never lets through what is no https URL', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.webUrl(),
          fc.string().map((text) => `https://${text}`),
        ),
        (text) => {
          const read = readWebhookUrl(text);
          if (read.ok) expect([read.url.protocol, read.url.username, read.url.password]).toEqual(['https:', '', '']);
        },
      ),
    );
  });
});
