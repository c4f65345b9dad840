import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import PostalMime from 'postal-mime';
import { headerText } from '../../email/header-text';
import { headerAddress, headerMailbox } from '../../email/mail-address';
import { anyText } from '../support/any-text';

const readSubject = async (value: string): Promise<string | undefined> =>
  (await PostalMime.parse(`Subject: ${value}\r\nX-Next: 1\r\n\r\nbody\r\n`)).subject;
const longestLine = (value: string, used: number): number =>
  Math.max(...value.split('\r\n').map((line, i) => line.length + (i === 0 ? used : 0)));

describe('the text of a header', () => {
  it('is sent as it is while it is short and plain', () => {
    expect(headerText('Pesanan #12: siap', 9)).toBe('Pesanan #12: siap');
  });

  it.each([
    ['Diskon 50% – hanya hari ini'],
    ['😀'.repeat(200)],
    ['=?utf-8?Q?=41?='],
    ['kata '.repeat(300).trim()],
    ['x'.repeat(3_000)],
    ['a  b   c    d'],
    [''],
  ])('reads back as it was: %s', async (text) => {
    const value = headerText(text, 9);
    expect(longestLine(value, 9)).toBeLessThanOrEqual(76);
    expect(value).toMatch(/^[ -~\r\n]*$/);
    expect((await readSubject(value)) ?? '').toBe(text);
  });

  it('never leaves its header, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(300), async (text) => {
        const value = headerText(`${text}\r\nBcc: all@example.com\r\n\r\nbody`, 9);
        expect(
          value
            .split('\r\n')
            .slice(1)
            .every((line) => /^ [!-~]/.test(line)),
        ).toBe(true);
        expect(value.replaceAll('\r\n', '')).toMatch(/^[ -~]*$/);
        expect(longestLine(value, 9)).toBeLessThanOrEqual(76);
      }),
    );
  });
});

describe('a mailbox in a header', () => {
  it.each([
    ['Toko Kita', 'Toko Kita <a@x.test>'],
    ['Toko, Kita', '"Toko, Kita" <a@x.test>'],
    ['Toko "Kita" \\', '"Toko \\"Kita\\" \\\\" <a@x.test>'],
    ['Tokö', '=?utf-8?B?VG9rw7Y=?= <a@x.test>'],
    ['a@b.test', '"a@b.test" <a@x.test>'],
    ['x\r\nBcc: all@example.com', '"x Bcc: all@example.com" <a@x.test>'],
    ['=?utf-8?Q?x?=', '=?utf-8?B?PT91dGYtOD9RP3g/PQ==?= <a@x.test>'],
    ['', 'a@x.test'],
  ])('with the name %j', (name, expected) => expect(headerMailbox(name, 'a@x.test', 6)).toBe(expected));

  it('is folded before the address when it is long', () => {
    expect(headerMailbox('n'.repeat(60), 'a-long-local-part@x.test', 6)).toBe(
      `${'n'.repeat(60)}\r\n <a-long-local-part@x.test>`,
    );
  });

  it.each([
    ['Budi@Example.com', 'Budi@Example.com'],
    ['a@bücher.example', 'a@xn--bcher-kva.example'],
    ['a@contoh。id', 'a@contoh.id'],
    ['büdi@example.com', 'büdi@example.com'],
    ['"a b"@example.com', '"a b"@example.com'],
    ['a b@example.com', '"a b"@example.com'],
    ['a@x.test>,<b@y.test', '"a@x.test>,<b"@y.test'],
    ['a,b@x.test', '"a,b"@x.test'],
    ['a@x.test\r\nBcc: b@y.test', '"a@x.testBcc: b"@y.test'],
    ['a@x test', 'a@xtest'],
  ])('has one address: %s', (address, expected) => expect(headerAddress(address)).toBe(expected));
});
