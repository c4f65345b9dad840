import fc from 'fast-check';
import { describe, expect, it } from '@jest/globals';
import { redirectTarget } from '../../../api/pages/redirect-target';
import { anyText } from '../../support/any-text';

describe('redirectTarget', () => {
  it('leaves a plain URL as it is', () => {
    const url = 'https://toko.contoh.test/a/b?x=1&y=%20z#t';
    expect(redirectTarget(url)).toBe(url);
  });

  it('is null for anything that is no http or https URL', () => {
    for (const text of [
      '',
      'toko.contoh.test',
      '/a',
      'ftp://a.test/',
      'JavaScript:alert(1)',
      'blob:https://a.test/1',
    ]) {
      expect(redirectTarget(text)).toBeNull();
    }
  });

  it('is always printable ASCII after http:// or https://, whatever was stored', () => {
    const rest = anyText(60);
    const prefix = fc.constantFrom('', 'http://a.test/', 'HTTPS://a.test', 'https://', '\thttp://a.test?', 'http:\\\\');
    fc.assert(
      fc.property(prefix, rest, (start, end) => {
        const target = redirectTarget(start + end);
        return target === null || /^https?:\/\/[\x21-\x7e]+$/.test(target);
      }),
    );
  });
});
