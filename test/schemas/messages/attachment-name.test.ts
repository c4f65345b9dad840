import { describe, expect, test } from '@jest/globals';
import { cleanFilename, isRiskyFilename } from '../../../schemas/messages/attachment-name';

describe('cleanFilename', () => {
  // spec: docs/contract.md#attachments: attachment filename: required, max 255, forbidden parts and characters stripped
  test.each([
    ['folder parts', '/etc/../faktur.pdf', 'faktur.pdf'],
    ['Windows folder parts', 'C:\\Users\\x\\faktur.pdf', 'faktur.pdf'],
    ['control characters', 'fak\r\ntur\0\x7f\u0085.pdf', 'faktur.pdf'],
    [
      'quotation mark, colon, asterisk, question mark, less-than, greater-than, pipe',
      'f"a:k*t?u<r>|.pdf',
      'faktur.pdf',
    ],
    ['a change of direction', 'faktur\u202efdp.exe', 'fakturfdp.exe'],
    ['spaces around', '  faktur.pdf  ', 'faktur.pdf'],
  ])('%s are stripped', (_what, given, cleaned) => {
    expect(cleanFilename(given)).toBe(cleaned);
  });

  test('names in any script are kept', () => {
    expect(cleanFilename('Tagihan bulan März 發票.pdf')).toBe('Tagihan bulan März 發票.pdf');
  });

  test('nothing may be left', () => {
    expect(cleanFilename('folder/')).toBe('');
    expect(cleanFilename('???')).toBe('');
  });
});

describe('isRiskyFilename', () => {
  // spec: docs/contract.md#risky-attachments: risky executable extensions are rejected
  test.each(['exe', 'bat', 'js', 'vbs', 'msi', 'iso', 'apk', 'scr', 'ps1'])(
    '.%s, which the contract names, is risky',
    (ext) => {
      expect(isRiskyFilename(`berkas.${ext}`)).toBe(true);
    },
  );

  test.each(['com', 'cmd', 'pif', 'jar', 'jse', 'vbe', 'wsf', 'wsh', 'hta', 'lnk', 'dll', 'cpl', 'reg', 'sh', 'app'])(
    '.%s is risky, too',
    (ext) => {
      expect(isRiskyFilename(`berkas.${ext}`)).toBe(true);
    },
  );

  test.each(['berkas.EXE', 'berkas.pdf.exe', 'berkas.exe.', 'berkas.exe . .', 'berkas. exe', '.exe'])(
    '%s hides nothing',
    (name) => {
      expect(isRiskyFilename(name)).toBe(true);
    },
  );

  test.each(['faktur.pdf', 'exe', 'laporan.exe.pdf', 'data.csv', 'foto.jpeg', 'arsip.zip'])('%s passes', (name) => {
    expect(isRiskyFilename(name)).toBe(false);
  });
});
