import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { decodeBase64 } from '../../../schemas/messages/base64';

describe('decodeBase64', () => {
  test('decodes whatever a standard encoder wrote', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), (bytes) => {
        expect(decodeBase64(Buffer.from(bytes).toString('base64'))).toEqual(Buffer.from(bytes));
      }),
    );
  });

  test('one foreign character anywhere is refused', () => {
    const foreign = fc.constantFrom('-', '_', ' ', '\n', '\r', '.', '=', '!', 'é', '\0', '，', '😀');
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 60 }), fc.nat(), foreign, (bytes, at, odd) => {
        const text = Buffer.from(bytes).toString('base64').replace(/=+$/, '');
        const split = at % text.length;
        const broken = text.slice(0, split) + odd + text.slice(split + odd.length);
        fc.pre(broken !== text && !(odd === '=' && split === text.length - 1));
        const padded = broken.padEnd(Math.ceil(broken.length / 4) * 4, '=');
        expect(decodeBase64(padded)).toBeNull();
      }),
    );
  });

  // spec: docs/contract.md#attachments: attachment content: standard base64, not a data URL, not empty
  test.each([
    ['nothing', ''],
    ['missing padding', 'QQ'],
    ['half the padding', 'QQ='],
    ['padding alone', '===='],
    ['padding in the middle', 'QQ==QUJD'],
    ['three padding characters', 'Q==='],
    ['line breaks', 'QUJD\nQUJD'],
    ['the URL-safe alphabet', '-_-_'],
    ['a data URL', 'data:text/plain;base64,QUJD'],
  ])('%s is refused', (_why, text) => {
    expect(decodeBase64(text)).toBeNull();
  });
});
