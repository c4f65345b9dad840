import { describe, expect, test } from '@jest/globals';
import { parseForm } from '../../../api/http/parse-form';

const parse = (text: string): object => parseForm(Buffer.from(text), 'body');

describe('parseForm', () => {
  test.each([
    ['a=1+2%2B3', { a: '1 2+3' }],
    ['a=%e4%B8%96&b=世', { a: '世', b: '世' }],
    ['a=100%&b=%&c=%2&d=%zz&e=%4', { a: '100%', b: '%', c: '%2', d: '%zz', e: '%4' }],
    ['a=%2541', { a: '%41' }],
    ['a+b=c&%5Bx=y', { 'a b': 'c', '': undefined }],
    ['a&b=&=c&&', { a: '', b: '' }],
    ['', {}],
  ])('%s', (text, fields) => {
    const { '': _none, ...expected } = fields as Record<string, unknown>;
    expect(parse(text)).toMatchObject(expected);
  });

  test.each(['%ff', 'a=%FF%FE', 'a=%ED%A0%80', 'a=%C0%AF'])('%s is not UTF-8', (text) => {
    expect(() => parse(text)).toThrow('The request body is not valid UTF-8.');
  });

  test.each(['+', '%', '%4', '%zz', '%41', '=', '[', ']', '][', '[]', '%E4%B8%96'])(
    '4 MB of %s in a value are read once',
    (piece) => {
      const count = Math.floor(4_000_000 / piece.length);
      const whole = parse(`a=${piece.repeat(count)}`) as { a: string };
      expect(whole.a).toBe((parse(`a=${piece}`) as { a: string }).a.repeat(count));
    },
  );

  test.each([
    ['&', 'has too many fields'],
    ['a=b&', 'has too many fields'],
    ['[a]', 'is nested too deeply'],
    ['a[a]', null],
    ['[', null],
    ['+', null],
  ])('4 MB of %s as names: refused, or one name', (piece, refusal) => {
    const text = piece.repeat(Math.floor(4_000_000 / piece.length));
    if (refusal) expect(() => parse(text)).toThrow(refusal);
    else expect(Object.keys(parse(text)).length).toBeLessThanOrEqual(1);
  });
});
