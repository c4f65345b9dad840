import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Joi from 'joi';
import { domainToASCII } from 'node:url';
import { headerAddress } from '../../../email/mail-address';
import { envelopeAddress } from '../../../email/transports/envelope-address';
import {
  asciiDomainAddress,
  canonicalAddress,
  isEmailAddress,
  splitAddress,
} from '../../../schemas/rules/email-address';

const LABEL = 'd'.repeat(60);
/** 64 characters before the @, 190 after it: 255 in all. */
const LONGEST = `${'l'.repeat(64)}@${LABEL}.${LABEL}.${LABEL}.contoh`;

describe('isEmailAddress', () => {
  // spec: docs/contract.md#addresses: one judge of addresses, at accept and at the hand-off
  test('accepts what can be handed over, whatever characters the domain has', () => {
    const domain = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(domain, fc.constantFrom('', 'x', 'xn--'), (part, before) => {
        const address = `ana@${before}${part}.test`;
        if (!isEmailAddress(address)) return;
        expect(envelopeAddress(address)).toMatch(/^ana@[\x21-\x7e]+$/);
        expect(envelopeAddress(canonicalAddress(address))).toBe(canonicalAddress(address));
        expect(headerAddress(address)).toBe(envelopeAddress(address));
        expect(isEmailAddress(canonicalAddress(address))).toBe(true);
      }),
      {
        numRuns: 2_000,
        examples: [
          ['\u{2f868}', ''],
          ['a', 'xn--'],
          ['❤', 'x'],
        ],
      },
    );
  });

  // spec: docs/contract.md#addresses: what an address is, in quotes too
  test.each([
    'budi@contoh.co.id',
    'budi+promo@sub.contoh.com',
    "o'neil.x_y-z@contoh.com",
    'x@contoh.photography',
    'x@contoh.invalidtldthatdoesnotexist',
    'x@bücher.example',
    'x@xn--bcher-kva.example',
    'x@пример.рф',
    'x@i❤.test',
    'x@☕️.example',
    'x@xn--i-7iq.test',
    'büro@contoh.com',
    '"budi santoso"@contoh.com',
    '"a\\"b"@contoh.com',
    '"a@b"@contoh.com',
    '"a\\ \\\\b"@bücher.example',
    '"<b>,(x);:[y]."@contoh.com',
    '" "@contoh.com',
    '"büro satu"@contoh.com',
    `"${'l'.repeat(62)}"@contoh.com`,
  ])('%s is an address', (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  // spec: docs/contract.md#addresses: what an address is, in quotes too
  test.each([
    ['no at sign', 'budi.contoh.com'],
    ['two at signs', 'budi@x@contoh.com'],
    ['no local part', '@contoh.com'],
    ['no domain', 'budi@'],
    ['a domain of one label', 'budi@localhost'],
    ['an empty label', 'budi@contoh..com'],
    ['a dot at the end', 'budi@contoh.com.'],
    ['two dots in the local part', 'bu..di@contoh.com'],
    ['broken punycode', 'x@xn--a.test'],
    ['a character that no domain has', 'x@\u{2f868}.test'],
    ['a domain that is too long in ASCII', `a@${`${'❤'.repeat(14)}.`.repeat(14)}test`],
    ['an address literal', 'budi@[127.0.0.1]'],
    ['an IP address', 'budi@127.0.0.1'],
    ['a display name', 'Budi <budi@contoh.com>'],
    ['angle brackets', '<budi@contoh.com>'],
    ['two addresses', 'a@contoh.com,b@contoh.com'],
    ['a space', 'budi santoso@contoh.com'],
    ['a line break', 'budi@contoh.com\r\nBcc: x@contoh.com'],
    ['a NUL', 'budi\0@contoh.com'],
    ['a no-break space', 'budi\u00a0x@contoh.com'],
    ['a zero-width space', 'bu\u200bdi@contoh.com'],
    ['a direction override', 'bu\u202edi@contoh.com'],
    ['a line separator', 'bu\u2028di@contoh.com'],
    ['a lone surrogate', 'bu\ud800di@contoh.com'],
    ['nothing in quotes', '""@contoh.com'],
    ['a quote that is not closed', '"budi@contoh.com'],
    ['a quote that is not opened', 'budi"@contoh.com'],
    ['a quote within quotes', '"bu"di"@contoh.com'],
    ['a quote behind two backslashes', '"budi\\\\"x"@contoh.com'],
    ['a backslash at the end', '"budi\\"@contoh.com'],
    ['quotes around a part of it', '"budi".s@contoh.com'],
    ['text between the quotes and the @', '"budi" @contoh.com'],
    ['a tab in quotes', '"a\tb"@contoh.com'],
    ['a line break in quotes', '"a\r\n b"@contoh.com'],
    ['an escaped line break in quotes', '"a\\\r\\\nb"@contoh.com'],
    ['a NUL in quotes', '"a\\\0b"@contoh.com'],
    ['a no-break space in quotes', '"a\u00a0b"@contoh.com'],
    ['an escaped letter of another script', '"a\\ü"@contoh.com'],
    ['a space in the domain behind quotes', '"a b"@con toh.com'],
    ['an address literal behind quotes', '"a b"@[127.0.0.1]'],
    ['a quoted local part of 65 bytes', `"${'l'.repeat(63)}"@contoh.com`],
    ['a local part of 65 bytes', `${'l'.repeat(65)}@contoh.com`],
    ['a label of 64 characters', `budi@${'d'.repeat(64)}.com`],
    ['a source route', '@a.com:budi@contoh.com'],
    ['a percent hack in the domain', 'budi@contoh%2ecom'],
  ])('%s makes it none', (_why, address) => {
    expect(isEmailAddress(address)).toBe(false);
  });

  test('255 characters pass, 256 do not', () => {
    const longest = LONGEST.padEnd(255, 'h');
    expect(longest).toHaveLength(255);
    expect(isEmailAddress(longest)).toBe(true);
    expect(isEmailAddress(`${longest}h`)).toBe(false);
  });
});

describe('canonicalAddress', () => {
  test('addresses are compared without case', () => {
    expect(canonicalAddress('Budi.Santoso@Contoh.COM')).toBe('budi.santoso@contoh.com');
  });

  // spec: docs/contract.md#addresses: compared without case, domain in ASCII, without needless quotes
  test('every spelling of an internationalised domain is one address', () => {
    const spellings = [
      'x@BÜCHER.example',
      'x@bücher.example',
      'x@bu\u0308cher.example',
      'x@xn--bcher-kva.example',
      'x@bücher。example',
    ];
    expect(new Set(spellings.map(canonicalAddress))).toEqual(new Set(['x@xn--bcher-kva.example']));
  });
});

describe('a local part in quotes', () => {
  // spec: docs/contract.md#addresses: compared without case, domain in ASCII, without needless quotes
  test.each([
    ['"Budi.S"@Contoh.com', 'budi.s@contoh.com'],
    ['"b\\udi"@contoh.com', 'budi@contoh.com'],
    ['"Budi S"@contoh.com', '"budi s"@contoh.com'],
    ['"budi\\ s"@contoh.com', '"budi s"@contoh.com'],
    ['"a@B"@contoh.com', '"a@b"@contoh.com'],
    ['"a\\"B"@contoh.com', '"a\\"b"@contoh.com'],
    ['"a.."@contoh.com', '"a.."@contoh.com'],
  ])('%s is the mailbox %s: needless quotes and backslashes make no other one', (address, canonical) => {
    expect(canonicalAddress(address)).toBe(canonical);
    expect(canonicalAddress(canonical)).toBe(canonical);
  });

  const content = fc.string({
    unit: fc.constantFrom(...' !"#@\\<>(),.:;[]aBü\0\r\n\t\x7f\u200b\u2028'),
    maxLength: 12,
  });

  // spec: docs/contract.md#addresses: no control character or line break in quotes
  test('never holds a control character, a line break or a quote that ends it early', () => {
    let valid = 0;
    fc.assert(
      fc.property(content, (text) => {
        const address = `"${text}"@contoh.com`;
        if (!isEmailAddress(address)) return;
        valid += 1;
        for (const spelling of [address, canonicalAddress(address), asciiDomainAddress(address)]) {
          expect(spelling).toMatch(/^(?:"(?:[^"\\\p{C}\u2028]|\\[ -~])+"|[^"\\\p{C}\p{Z}@<>]+)@contoh\.com$/u);
          expect(isEmailAddress(spelling)).toBe(true);
        }
        expect(canonicalAddress(canonicalAddress(address))).toBe(canonicalAddress(address));
      }),
      { numRuns: 5_000 },
    );
    expect(valid).toBeGreaterThan(200);
  });

  test('is valid however any text of printable characters is quoted', () => {
    const printable = fc.string({
      unit: fc.integer({ min: 32, max: 126 }).map((code) => String.fromCharCode(code)),
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(printable, fc.boolean(), (text, all) => {
        const quoted = text.replace(all ? /[^]/g : /["\\]/g, '\\$&');
        expect(isEmailAddress(`"${quoted}"@contoh.com`)).toBe(true);
      }),
    );
  });
});

test('splitAddress keeps the local part and gives the domain as sending domains are stored', () => {
  expect(splitAddress('Budi@Bücher.Example')).toEqual({ local: 'Budi', domain: 'xn--bcher-kva.example' });
});

test('asciiDomainAddress changes the domain only', () => {
  expect(asciiDomainAddress('Budi@Bücher.Example')).toBe('Budi@xn--bcher-kva.example');
});

describe('addresses that take the short way', () => {
  const syntax = Joi.string().email({ tlds: { allow: false }, ignoreLength: true });
  const part = fc.stringMatching(/^[A-Za-z0-9._+-]{1,70}$/);
  const label = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9-]{1,66}$/),
    fc.constantFrom('xn--bcher-kva', 'XN--a', '0x7f', '1'),
  );
  const address = fc
    .tuple(
      part,
      fc.array(label, { minLength: 1, maxLength: 4 }),
      fc.constantFrom('com', 'ID', 'co1', 'c', '12', 'x-y', ''),
    )
    .map(([local, labels, last]) => `${local}@${[...labels, last].join('.')}`);

  test('are judged and spelled as the long way does', () => {
    let plain = 0;
    fc.assert(
      fc.property(address, (text) => {
        const at = text.lastIndexOf('@');
        const ascii = domainToASCII(text.slice(at + 1));
        const valid = text.length <= 255 && at <= 64 && syntax.validate(text).error === undefined && ascii !== '';
        expect(isEmailAddress(text)).toBe(valid);
        if (!valid) return;
        plain += 1;
        expect(canonicalAddress(text)).toBe(`${text.slice(0, at).toLowerCase()}@${ascii}`);
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(200);
  });
});
