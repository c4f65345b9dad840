import { describe, expect, test } from '@jest/globals';
import { normalize, type Fields } from '../../../schemas/rules/normalize';
import { validate } from '../../../schemas/rules/rules';
import { messageRules, messageShape } from '../../../schemas/messages/send-message';
import { shorten, transferables } from '../../../schemas/rules/shorten';

const valid = { to: 'budi@contoh.test', subject: 'x', html: 'x', sending_domain_id: 1 };
const shortened = (fields: object): Fields => shorten(messageShape, normalize(messageShape, fields, 'json'));
const errorsOf = (fields: Fields): object => {
  const read = validate(messageRules, fields);
  return read.ok ? {} : read.errors;
};
const LONG = 'x'.repeat(1_500_000);
const SPACES = ' '.repeat(1_500_000);
const MANY = Array.from({ length: 2_000 }, (_, n) => `member ${n}`);

describe('shorten', () => {
  test('leaves fields that the rules accept as they are', () => {
    const fields = {
      ...valid,
      html: '世'.repeat(500_000),
      metadata: { a: 'x'.repeat(500), b: null, c: 1, d: true },
      attachments: [{ filename: 'a.txt', content: Buffer.alloc(1_000_000).toString('base64') }],
    };
    expect(shortened(fields)).toEqual(normalize(messageShape, fields, 'json'));
  });

  test.each<[string, object]>([
    ['a long text', { html: LONG }],
    ['a long text of pairs', { html: '😀'.repeat(1_000_000) }],
    ['a long address', { to: LONG }],
    ['long base64 that is none', { attachments: [{ filename: 'a', content: `${LONG}!` }] }],
    ['a long file name', { attachments: [{ filename: LONG, content: 'QQ==' }] }],
    ['a list instead of a text', { subject: MANY }],
    ['an object instead of a text', { subject: Object.fromEntries(MANY.entries()) }],
    ['a list instead of a number', { sending_domain_id: MANY }],
    ['metadata with many keys', { metadata: Object.fromEntries(MANY.map((name) => [name, LONG])) }],
    ['metadata with long keys', { metadata: Object.fromEntries([...'abcdefghijkl'].map((end) => [LONG + end, 1])) }],
    ['metadata with long and nested values', { metadata: { a: LONG, b: MANY, c: { d: MANY } } }],
    ['metadata that is a list', { metadata: MANY }],
    ['too many attachments', { attachments: Array.from({ length: 9_000 }, () => ({})) }],
    ['attachments that are no objects', { attachments: [LONG, MANY, null, 1] }],
    ['attachments that are an object', { attachments: Object.fromEntries(MANY.map((name) => [name, LONG])) }],
  ])('keeps the errors of %s, in little memory', (_what, change) => {
    const fields = { ...valid, ...change };
    const short = shortened(fields);
    expect(JSON.stringify(short).length).toBeLessThan(1_200_000);
    expect(errorsOf(short)).toEqual(errorsOf(normalize(messageShape, fields, 'json')));
    expect(normalize(messageShape, short, 'json')).toEqual(short);
  });

  test.each(['html', 'to'] as const)(
    'a long %s with spaces where it is cut stays too long when trimmed again',
    (name) => {
      const again = normalize(messageShape, shortened({ ...valid, [name]: `budi@contoh.test${SPACES}x` }), 'json');
      // Not the texts, which would take minutes to compare.
      expect(String(again[name]).length).toBeGreaterThan(1_000_000);
    },
  );

  test('decoded attachments are transferred, unless they share memory', () => {
    const contents = ['QQ==', Buffer.alloc(100_000).toString('base64')];
    const fields = shortened({ ...valid, attachments: contents.map((content) => ({ filename: 'a', content })) });
    expect(transferables(fields).map(({ byteLength }) => byteLength)).toEqual([100_000]);
  });
});

describe('The number of errors', () => {
  test('is bounded, however many members are wrong', () => {
    for (const change of [
      { attachments: Array.from({ length: 9_000 }, () => ({})) },
      { metadata: Object.fromEntries(MANY.map((_, n) => [`k${n}`, {}])) },
    ]) {
      const read = validate(messageRules, normalize(messageShape, { ...valid, ...change }, 'json'));
      expect(read.ok ? 0 : Object.values(read.errors).flat().length).toBeLessThan(150);
    }
  });
});
