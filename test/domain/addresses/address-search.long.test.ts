import { describe, expect, it, test } from '@jest/globals';
import { AddressSearch } from '../../../domain/addresses/address-search';
import { HOSTILE_TEXTS } from './hostile-texts';

const EMAIL = 'sari.dewi@contoh.test';
const search = new AddressSearch(EMAIL);

describe('looking for an address in a text', () => {
  // spec: docs/contract.md#delete-a-contact: where an address stands can be looked up, in store, log and cache
  it.each([
    EMAIL,
    'SARI.DEWI@CONTOH.TEST',
    `<${EMAIL}>`,
    `mailto:${EMAIL}.`,
    `?e=${encodeURIComponent(EMAIL)}&x=1`,
    `%3C${encodeURIComponent(EMAIL)}%3E`,
    '%73%61ri%2Edewi%40contoh%2etest',
    encodeURIComponent(encodeURIComponent(encodeURIComponent(EMAIL))),
    'sari.dewi&#64;contoh.test',
    'sari.dewi&#x40;contoh.test',
    String.raw`{"to":"sari.dewi\u0040contoh.test"}`,
    'sari.dewi=40contoh.test',
    `xn--a@b ${EMAIL}\n`,
  ])('finds it: %s', (text) => {
    expect(search.inText(text)).toBe(true);
    expect(new AddressSearch(EMAIL.toUpperCase()).inText(text)).toBe(true);
    expect(search.inField('body', Buffer.from(text))).toBe(true);
  });

  it.each([
    `kartika${EMAIL}`,
    `${EMAIL}ing`,
    `${EMAIL}.id`,
    `${EMAIL}-1`,
    'sariXdewi@contoh.test',
    'dewi@contoh.test',
    'sari.dewi@ contoh.test',
    '',
  ])('takes nothing else for it: %s', (text) => {
    expect(search.inText(text)).toBe(false);
    expect(search.inField('body', Buffer.from(text))).toBe(false);
  });
});

describe('looking for an address in a field', () => {
  it('that holds nothing but an address compares the whole', () => {
    for (const field of ['email', 'recipient', 'recipient_text', 'to', 'toText', 'from_email', 'fromEmail']) {
      expect(search.inField(field, ' sari.dewi@contoh.test ')).toBe(true);
      expect(search.inField(field, EMAIL)).toBe(true);
      expect(search.inField(field, `x+${EMAIL}`)).toBe(false);
      expect(search.inField('subject', `x+${EMAIL}`)).toBe(true);
    }
  });

  it('finds it in bytes: UTF-8, UTF-16 in either order, base64 at any place and broken into lines', () => {
    const utf16 = Buffer.from(`x;${EMAIL};`, 'utf16le');
    const found = [Buffer.from(`é ${EMAIL}`), utf16, Buffer.from(utf16).swap16(), new Uint8Array(Buffer.from(EMAIL))];
    for (const before of ['', 'a', 'ab', 'abc']) {
      const encoded = Buffer.from(`${before}${EMAIL} and what comes behind it`).toString('base64');
      found.push(Buffer.from(encoded), Buffer.from(encoded.replace(/.{9}/g, '$&\r\n')));
    }
    for (const bytes of found) expect(search.inField('content', bytes)).toBe(true);
    expect(search.inField('content', Buffer.from('sari.dewi@contoh.tes'))).toBe(false);
    // Bytes of a larger buffer: what lies beside them is not theirs.
    expect(search.inField('content', Buffer.from(`${EMAIL} x`).subarray(EMAIL.length))).toBe(false);
  });

  it.each([null, undefined, 7, true, { email: EMAIL }])('finds none in %j', (value) => {
    expect(search.inField('email', value)).toBe(false);
  });
});

describe('an address with a quoted local part', () => {
  const quoted = new AddressSearch('"budi s"@contoh.test');
  it.each([
    'to "Budi S"@contoh.test',
    String.raw`{"to":"\"budi s\"@contoh.test"}`,
    `?e=${encodeURIComponent('"budi s"@contoh.test')}`,
    `?e=${String(new URLSearchParams({ e: '"budi s"@contoh.test' }))}`,
    '&quot;budi s&quot;@contoh.test',
    '550 <budi s@contoh.test>: no such user',
  ])('is found: %s', (text) => {
    expect(quoted.inText(text)).toBe(true);
    expect(quoted.inText('budis@contoh.test s"@contoh.test abudi s@contoh.test')).toBe(false);
  });

  it('is found under any spelling of its field', () => {
    expect(quoted.inField('toText', '"Budi S"@contoh.test')).toBe(true);
    expect(search.inField('toText', '"Sari.Dewi"@contoh.test')).toBe(true);
    expect(search.inField('toText', '"x sari.dewi"@contoh.test')).toBe(false);
  });

  test.each(HOSTILE_TEXTS)('a million characters take no time: %s', (_, text) => {
    const odd = new AddressSearch(String.raw`"a\\b\"c"@contoh.test`);
    expect([quoted.inText(text), odd.inText(text)]).toEqual([false, false]);
  });
});

it('is never read as a pattern', () => {
  const odd = new AddressSearch("a+b.*|^$o'{1}@contoh.test");
  expect(odd.inText("to a+b.*|^$o'{1}@contoh.test")).toBe(true);
  expect(odd.inText('aab@contoh.test')).toBe(false);
});

test.each(HOSTILE_TEXTS)('a million characters take no time: %s', (_, text) => {
  expect([search.inText(text), search.inField('content', Buffer.from(text))]).toEqual([false, false]);
  expect([search.inText(`${text} ${EMAIL}`), search.inField('content', Buffer.from(`${text} ${EMAIL}`))]).toEqual([
    true,
    true,
  ]);
});
