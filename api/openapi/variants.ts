import { ABSENT, factsOf, type Described } from './described';

/** One alternative of an object, with its component name and what it is. */
interface Variant {
  name: string;
  about: string;
  described: Described;
}

type Fields = Record<string, Described>;

/**
 * The two alternatives of an object with fields that depend on whether another field is present (see
 * schemas/rules/alternatives.ts); null for other objects. Throws for a dependency that cannot be written in this way,
 * so that no rule is lost silently.
 */
export function variantsOf(described: Described): [Variant, Variant] | null {
  const keys = described.keys ?? {};
  const dependent = Object.values(keys).filter(({ whens }) => whens !== undefined);
  if (dependent.length === 0) return null;
  const others = new Set(dependent.map(otherField));
  const [other = ''] = others;
  const { variants } = factsOf(described);
  if (others.size > 1 || !keys[other] || !variants) {
    throw new Error('Fields may depend on one field of the same object, with names for both variants.');
  }
  const present = mapFields(keys, (name, field) => (name === other ? needed(field) : chosen(field, 'then', other)));
  const absent = mapFields(keys, (name, field) =>
    name === other
      ? left(`Must be absent: this is the variant without \`${other}\`.`)
      : chosen(field, 'otherwise', other),
  );
  return [
    { name: variants.present, about: `With \`${other}\`.`, described: { ...described, keys: present } },
    { name: variants.absent, about: `Without \`${other}\`.`, described: { ...described, keys: absent } },
  ];
}

/** The field whose presence decides about this one. */
function otherField({ whens = [] }: Described): string {
  const [when, ...more] = whens;
  const isPresence = when?.is?.flags?.presence === 'required' && when.is.type === 'any';
  const path = when?.ref?.path ?? [];
  if (!isPresence || more.length > 0 || path.length !== 1) {
    throw new Error('A rule may depend only on the presence of another field.');
  }
  return path[0]!;
}

/** The rules of a field in one alternative; undefined where the field is ignored. */
function chosen(field: Described, branch: 'then' | 'otherwise', other: string): Described | undefined {
  const rules = field.whens?.[0]?.[branch];
  if (!field.whens) return field;
  if (rules?.flags?.presence === 'forbidden') {
    return left(`Must be absent ${branch === 'then' ? 'beside' : 'without'} \`${other}\`.`);
  }
  if (!rules || (rules.type === 'any' && !rules.metas)) return undefined;
  return { ...rules, flags: { ...rules.flags, ...field.flags } };
}

const needed = (field: Described): Described => ({ ...field, flags: { ...field.flags, presence: 'required' } });
const left = (description: string): Described => ({ type: ABSENT, flags: { description } });

function mapFields(keys: Fields, map: (name: string, field: Described) => Described | undefined): Fields {
  const mapped = Object.entries(keys).map(([name, field]) => [name, map(name, field)] as const);
  return Object.fromEntries(mapped.flatMap(([name, field]) => (field ? [[name, field]] : [])));
}
