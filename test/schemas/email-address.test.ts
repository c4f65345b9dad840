import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import Joi from 'joi';
import { domainToASCII } from 'node:url';
import { asciiDomainAddress, canonicalAddress, isEmailAddress, splitAddress } from '../../schemas/email-address';

const LABEL = 'd'.repeat(60);
/** 64 characters before the @, 190 after it: 255 in all. */
const LONGEST = `${'l'.repeat(64)}@${LABEL}.${LABEL}.${LABEL}.contoh`;

describe('isEmailAddress', () => {
  test.each([
    'budi@contoh.co.id',
    'budi+promo@sub.contoh.com',
    "o'neil.x_y-z@contoh.com",
    'x@contoh.photography',
    'x@contoh.invalidtldthatdoesnotexist',
    'x@bücher.example',
    'x@xn--bcher-kva.example',
    'x@пример.рф',
    'büro@contoh.com',
  ])('%s is an address', (address) => {
    expect(isEmailAddress(address)).toBe(true);
  });

  test.each([
    ['no at sign', 'budi.contoh.com'],
    ['two at signs', 'budi@x@contoh.com'],
    ['no local part', '@contoh.com'],
    ['no domain', 'budi@'],
    ['a domain of one label', 'budi@localhost'],
    ['an empty label', 'budi@contoh..com'],
    ['a dot at the end', 'budi@contoh.com.'],
    ['two dots in the local part', 'bu..di@contoh.com'],
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
    ['a quoted local part', '"budi santoso"@contoh.com'],
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
        const valid = text.length <= 255 && at <= 64 && syntax.validate(text).error === undefined;
        expect(isEmailAddress(text)).toBe(valid);
        if (!valid) return;
        plain += 1;
        expect(canonicalAddress(text)).toBe(`${text.slice(0, at).toLowerCase()}@${domainToASCII(text.slice(at + 1))}`);
      }),
      { numRuns: 3_000 },
    );
    expect(plain).toBeGreaterThan(200);
  });
});
