import { describe, expect, it } from '@jest/globals';
import { filled } from '../../../dashboard/texts/filled';
import { LANGUAGES, textsOf } from '../../../dashboard/texts/texts';

const PLURAL = /(?<!\{)\{\w+((?:\|[^{}|]*)+)\}(?!\})/g;
const placeholders = (text: string): string =>
  [...text.matchAll(/(?<!\{)\{(\w+)(?:\|[^{}]*)?\}(?!\})/g)]
    .map(([, name]) => name)
    .sort()
    .join();

describe('a text with placeholders', () => {
  it('has its values, and keeps what has none', () => {
    expect(filled('{a} of {b}, {a} again', { a: 'x', b: 2 })).toBe('x of 2, x again');
    expect(filled('{a} of {b}', { a: '{b} $& #' })).toBe('{b} $& # of {b}');
    expect(filled('{n|# row|# rows}', {})).toBe('{n|# row|# rows}');
  });

  it('has the form of a noun for its number', () => {
    const rows = (n: string | number): string => filled('The last {n|# row|# rows}.', { n });
    expect([0, 1, 2, 1234].map(rows)).toEqual([
      'The last 0 rows.',
      'The last 1 row.',
      'The last 2 rows.',
      'The last 1,234 rows.',
    ]);
    expect(filled('{n|one row|# rows} of {of}', { n: 1, of: 1234 })).toBe('one row of 1234');
  });

  it('takes a number that is formatted already', () => {
    expect(['1', '1,234'].map((n) => filled('{n|# row|# rows}', { n }))).toEqual(['1 row', '1,234 rows']);
    expect(filled('{n|# row|# rows}', { n: '$&' })).toBe('$& rows');
  });

  it('leaves the merge tags of an email alone', () => {
    const text = 'Write {{name|friend}} or {{name}}, {name}.';
    expect(filled(text, { name: 'Siti' })).toBe('Write {{name|friend}} or {{name}}, Siti.');
  });

  it('counts in the language of the table it is from', () => {
    const n = 1234;
    expect(filled(textsOf('en').coinsRows, { n })).toBe('1,234 entries');
    expect(filled(textsOf('en').coinsRows, { n: 1 })).toBe('1 entry');
    expect(filled(textsOf('id').coinsRows, { n })).toBe('1.234 entri');
  });
});

it.each(LANGUAGES)('each plural of the texts has as many forms as %s has', (language) => {
  const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories.length;
  const wrong = Object.entries(textsOf(language)).filter(([, text]) =>
    [...text.matchAll(PLURAL)].some(([, of = '']) => of.split('|').length - 1 !== forms),
  );
  expect(wrong).toEqual([]);
});

it('a text has the same placeholders in each language', () => {
  const { en, id } = { en: textsOf('en'), id: textsOf('id') };
  const keys = Object.keys(en) as (keyof typeof en)[];
  expect(keys.filter((key) => placeholders(en[key]) !== placeholders(id[key]))).toEqual([]);
});
