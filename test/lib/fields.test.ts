import { describe, expect, it } from '@jest/globals';
import { coded, FieldList, nested, plain } from '../../lib/fields';

interface Person {
  name: string;
  born: Date;
  home: { street: string; city: string };
  size: { height: number; weight: number };
}

const PERSON = new FieldList<Person>({
  name: plain,
  born: coded<Date, number>(
    (date) => date.getTime(),
    (ms) => new Date(ms),
  ),
  home: nested(new FieldList<Person['home']>({ city: plain, street: plain })),
  size: coded<Person['size'], [number, number]>(
    ({ height, weight }) => [height, weight],
    ([height, weight]) => ({ height, weight }),
  ),
});
const SARI: Person = {
  name: 'Sari',
  born: new Date(5),
  home: { street: 'Jl. Melati 1', city: 'Bandung' },
  size: { height: 160, weight: 50 },
};

describe('a list of fields', () => {
  it('writes the values alone, in its own order, and reads them again', () => {
    const values = PERSON.encode(SARI);
    expect(values).toEqual(['Sari', 5, ['Bandung', 'Jl. Melati 1'], [160, 50]]);
    expect(PERSON.decode(values)).toEqual(SARI);
    expect(PERSON.decode(structuredClone(values))).toEqual(SARI);
  });

  it('leaves out what is not a field of it', () => {
    expect(PERSON.encode({ ...SARI, more: 1 } as Person)).toHaveLength(4);
  });

  it('reads an object out of a longer list', () => {
    expect(PERSON.decodeFrom([true, null, ...PERSON.encode(SARI), 'more'], 2)).toEqual(SARI);
  });

  it('gives each object values of its own', () => {
    const [first, second] = [PERSON.decode(PERSON.encode(SARI)), PERSON.decode(PERSON.encode(SARI))];
    first.name = 'Budi';
    expect(second).toEqual(SARI);
  });

  it('can pass its fields as they are', () => {
    expect(PERSON.unencoded().encode(SARI)).toEqual([SARI.name, SARI.born, SARI.home, SARI.size]);
  });
});
