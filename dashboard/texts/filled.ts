import { ENGLISH } from './english';
import { INDONESIAN } from './indonesian';

/** The order in which a text lists its plural forms; a language has only some of them, and always the last. */
const CATEGORIES = ['zero', 'one', 'two', 'few', 'many', 'other'] as const;

interface Plurals {
  readonly rules: Intl.PluralRules;
  readonly numbers: Intl.NumberFormat;
  readonly categories: readonly Intl.LDMLPluralRule[];
}

function pluralsOf(locale: string): Plurals {
  const rules = new Intl.PluralRules(locale);
  const known = new Set(rules.resolvedOptions().pluralCategories);
  return { rules, numbers: new Intl.NumberFormat(locale), categories: CATEGORIES.filter((name) => known.has(name)) };
}

const ENGLISH_PLURALS = pluralsOf(ENGLISH.locale);
const INDONESIAN_PLURALS = pluralsOf(INDONESIAN.locale);
const INDONESIAN_TEXTS: ReadonlySet<string> = new Set(Object.values(INDONESIAN));

/** A placeholder, with its plural forms if it has any; the merge tags of an email, in double braces, are none. */
const PLACEHOLDER = /(?<!\{)\{(\w+)((?:\|[^{}|]*)*)\}(?!\})/g;

function plural({ rules, numbers, categories }: Plurals, forms: readonly string[], value: string | number): string {
  const n = Number(value);
  const form = forms[categories.indexOf(rules.select(n))] ?? forms.at(-1) ?? '';
  const shown = typeof value === 'number' ? numbers.format(n) : value;
  return form.replaceAll('#', () => shown);
}

/**
 * A text with its placeholders filled in. `{name}` is the value as it is. `{n|# row|# rows}` is the form for that many,
 * in the order one, other; `#` is the number in digits of the language. Indonesian has one form: `{n|# baris}`. A
 * number that comes as a string has been formatted already. A placeholder without a value stays.
 */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  const plurals = INDONESIAN_TEXTS.has(text) ? INDONESIAN_PLURALS : ENGLISH_PLURALS;
  return text.replace(PLACEHOLDER, (all, name: string, forms: string) => {
    const value = values[name];
    if (value === undefined) return all;
    return forms === '' ? String(value) : plural(plurals, forms.slice(1).split('|'), value);
  });
}
