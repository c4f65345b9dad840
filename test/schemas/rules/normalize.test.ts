import { describe, expect, test } from '@jest/globals';
import { normalize, type Shape } from '../../../schemas/rules/normalize';

const shape: Shape = {
  name: 'text',
  count: 'integer',
  extra: 'raw',
  names: 'list',
  list: { items: { title: 'text' }, most: 10 },
};

describe('tidy', () => {
  // spec: docs/contract.md#trimming: leading and trailing spaces in text are trimmed
  test('leading and trailing spaces in text are trimmed', () => {
    expect(normalize(shape, { name: ' \t Budi Santoso\n' }, 'json')).toEqual({ name: 'Budi Santoso' });
  });

  // spec: docs/contract.md#trimming: empty text is treated as not supplied
  test('empty text and null are treated as not supplied', () => {
    for (const value of ['', '   ', null]) {
      const fields = normalize(shape, { name: value, count: value, extra: value, list: value }, 'form');
      expect(Object.keys(fields)).toEqual([]);
    }
  });

  // spec: docs/contract.md#trimming: null clears a contact's name
  test('null is a value where it clears a text, empty text never is', () => {
    const name: Shape = { name: 'clearable' };
    expect(normalize(name, { name: null }, 'json')).toEqual({ name: null });
    expect(normalize(name, { name: ' a ' }, 'json')).toEqual({ name: 'a' });
    for (const source of ['json', 'form'] as const) expect(normalize(name, { name: ' ' }, source)).toEqual({});
  });

  // spec: docs/contract.md#unknown-fields: unknown request fields are ignored
  test('unknown request fields are ignored', () => {
    expect(normalize(shape, { name: 'x', unknown: 1, hasOwnProperty: 2 }, 'json')).toEqual({ name: 'x' });
  });

  test('numbers are read from text in forms only', () => {
    expect(normalize(shape, { count: ' 42 ' }, 'form')).toEqual({ count: 42 });
    expect(normalize(shape, { count: '42' }, 'json')).toEqual({ count: '42' });
  });

  test.each(['4.0', '0x10', '1e3', '４２', '--1'])('%s is no whole number in a form', (text) => {
    expect(normalize(shape, { count: text }, 'form')).toEqual({ count: text });
  });

  test('nothing inside a raw field is touched', () => {
    const extra = { padded: '  x ', empty: '', nothing: null };
    expect(normalize(shape, { extra }, 'json')).toEqual({ extra });
  });

  test('items of a list are tidied, values that are no objects are left for the rules', () => {
    const fields = normalize(shape, { list: [{ title: ' a ', other: 1 }, 'text', null, ['x']] }, 'json');
    expect(fields).toEqual({ list: [{ title: 'a' }, 'text', null, ['x']] });
  });

  test('an object with numbered members is a list in forms, where the field is one', () => {
    const sent = { name: { 0: 'a' }, extra: { 0: 'a' }, names: { 10: 'c', 2: 'b' }, list: { 0: { title: ' a ' } } };
    expect(normalize(shape, sent, 'form')).toEqual({ ...sent, names: ['b', 'c'], list: [{ title: 'a' }] });
    expect(normalize(shape, sent, 'json')).toEqual(sent);
    const strange = { names: { 0: 'a', x: 'b' }, list: { '01': {} } };
    expect(normalize(shape, strange, 'form')).toEqual(strange);
  });

  test('a __proto__ in the body supplies no field and changes no prototype', () => {
    const body: object = JSON.parse(
      '{"__proto__": {"name": "smuggled"}, "list": [{"__proto__": {"title": "smuggled"}}]}',
    );
    const fields = normalize({ ...shape, __proto__x: 'text' }, body, 'json') as {
      name?: string;
      list: { title?: string }[];
    };
    expect(fields.name).toBeUndefined();
    expect(fields.list[0]!.title).toBeUndefined();
    expect(({} as { name?: string }).name).toBeUndefined();
  });
});
