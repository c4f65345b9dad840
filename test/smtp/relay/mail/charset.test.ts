import { describe, expect, test } from '@jest/globals';
import { decodeText, unknownCharset } from '../../../../smtp/relay/mail/charset';

const hex = (text: string): Buffer => Buffer.from(text, 'hex');

describe('Charsets of mails', () => {
  test('windows-1252 and its names: 0x80 to 0x9f are characters, not controls', () => {
    const bytes = hex('80828384858687888a8b8c8e9192939495969798999a9b9c9e9fa0e9');
    const text = '€‚ƒ„…†‡ˆŠ‹ŒŽ‘’“”•–—˜™š›œžŸ\u00a0é';
    for (const name of ['windows-1252', 'cp1252', 'iso-8859-1', 'latin1', '"ISO-8859-1"', 'us-ascii', 'ansi']) {
      expect([name, decodeText(bytes, name).replace('\u0089', '')]).toEqual([name, text]);
    }
    expect(decodeText(Buffer.from([0x89, 0x81]), 'windows-1252')).toBe('‰\u0081');
  });

  test.each([
    ['iso-8859-2', 'a1b1c8', 'ĄąČ'],
    ['iso-8859-5', 'b0d0f1', 'Ааё'],
    ['iso-8859-7', 'c1e1', 'Αα'],
    ['iso-8859-8-i', 'e0e1', 'אב'],
    ['iso-8859-9', 'd0fe', 'Ğş'],
    ['iso-8859-15', 'a4a6bd', '€Šœ'],
    ['iso-8859-16', 'a4aaba', '€Șș'],
    ['windows-1250', '8a9ce9', 'Šśé'],
    ['windows-1251', 'cff0e8', 'При'],
    ['windows-1256', 'c7e1', 'ال'],
    ['tis-620', 'a1d2', 'กา'],
    ['koi8-r', 'f0d2c9', 'При'],
    ['koi8-u', 'a4a6a7', 'єії'],
    ['gb2312', 'c4e3bac3', '你好'],
    ['gbk', '8140c4e3', '丂你'],
    ['eucgb2312_cn', 'c4e3', '你'],
    ['gb18030', '8130813095328236', '\u0080𠀀'],
    ['big5', 'a741a66e', '你好'],
    ['shift_jis', '93fa967bb1', '日本ｱ'],
    ['cp932', '8740fae3', '①桒'],
    ['euc-jp', 'c6fccbdc', '日本'],
    ['iso-2022-jp', '1b2442467c4b5c1b284241', '日本A'],
    ['euc-kr', 'b0a1c7d1', '가한'],
    ['ks_c_5601-1987', '8c63b0a1', '똠가'],
    ['cp949', 'c650c652', '힡힣'],
    ['utf-16', 'feff4f60', '你'],
    ['utf-16', 'fffe604f', '你'],
    ['utf-16be', '4f60', '你'],
    ['utf-16le', '604f', '你'],
    ['utf-8', 'efbbbfe4bda0', '你'],
    ['utf8', 'e4bda0ff', '你\ufffd'],
    ['UTF-8', '', ''],
  ])('%s: %s is %s', (name, bytes, text) => {
    expect(decodeText(hex(bytes), name)).toBe(text);
  });

  // spec: docs/contract.md#relay-headers: the charsets of real mail, also those that browsers do not know
  test.each([
    ['cp850', '8184949ae1d5', 'üäöÜßı'],
    ['ibm850', '818d', 'üì'],
    ['IBM-850', '81', 'ü'],
    ['csPC850Multilingual', '81', 'ü'],
    ['cp437', '8182e1f1', 'üéß±'],
    ['ibm437', '9b', '¢'],
    ['PC437', '9b', '¢'],
    ['cp858', 'd5', '€'],
    ['ibm00858', 'd5', '€'],
    ['cp852', '86a5', 'ćą'],
    ['cp866', '8fe0a8', 'При'],
    ['cp855', 'dde1b7', 'При'],
    ['cp857', '8d98', 'ıİ'],
    ['cp737', '8098', 'Αα'],
    ['cp775', '80', 'Ć'],
    ['cp862', '80', 'א'],
    ['macintosh', '8a8e', 'äé'],
    ['x-mac-greek', 'e1', 'α'],
    ['viscii', 'd5', 'ạ'],
    ['tcvn', 'b8', 'á'],
    ['koi8-t', 'cf', 'о'],
    ['armscii-8', 'b2', 'Ա'],
    ['hp-roman8', 'ce', 'ö'],
    ['latin_1', 'e9', 'é'],
    ['windows_1252', '80', '€'],
    ['win1251', 'cf', 'П'],
    ['iso_8859_15', 'a4', '€'],
    ['utf-32le', '604f0000', '你'],
  ])('beside those of browsers: %s: %s is %s', (name, bytes, text) => {
    expect(decodeText(hex(bytes), name)).toBe(text);
    expect(unknownCharset(hex(bytes), name)).toBeNull();
  });

  test.each([
    ['nonsense', 'e9', 'nonsense'],
    ['nonsense', 'c3a9', null],
    ['nonsense', '61', null],
    ['ibm037', 'c1', 'ibm037'],
    ['utf-7', '2b41474d2d', 'utf-7'],
    ['iso-2022-kr', '0e', 'iso-2022-kr'],
    ['unknown-8bit', 'e9', null],
    ['base64', 'e9', 'base64'],
    [null, 'e9', null],
  ])('letters of %s %s are a guess for want of %s', (name, bytes, unknown) => {
    expect(unknownCharset(hex(bytes), name)).toBe(unknown);
  });

  test.each([null, '', 'unknown-8bit', 'utf-7', 'hz-gb-2312', 'nonsense', '../../x'])(
    'no charset that is known (%s): UTF-8 where it is valid, else windows-1252',
    (name) => {
      expect(decodeText(Buffer.from('Büdi 你'), name)).toBe('Büdi 你');
      expect(decodeText(Buffer.from('B\xfcdi \x80', 'latin1'), name)).toBe('Büdi €');
    },
  );

  test('Korean: half a character at the end, and bytes that stand for nothing', () => {
    expect(decodeText(hex('b0a18c'), 'euc-kr')).toMatch(/^가/);
    expect(decodeText(hex('41ff8c638c634243'), 'euc-kr')).toMatch(/^A\ufffd.*똠BC$/);
  });
});
