import { RECORD_FAULTS } from './record-faults';
import { NOUNS, RULES, SENTENCES } from './reasons';
import type { Language } from './texts';
import { incompleteInIndonesian } from './unwritten';
import { WARNINGS } from './warnings';

/** A longer reason quotes something long, and stays as it is. */
const LONGEST = 2_000;

type Translate = (reason: string) => string | null;

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
/** The longest first, since some begin with others. */
const NOUN = Object.keys(NOUNS)
  .toSorted((a, b) => b.length - a.length)
  .join('|');
/** A text as a pattern, with a group for each `{name}` in it. */
const patternOf = (text: string): string =>
  text
    .split(/(\{\w+\})/)
    .map((part) => {
      if (!/^\{\w+\}$/.test(part)) return escaped(part);
      return `(?<${part.slice(1, -1)}>${part === '{what}' ? NOUN : '.+?'})`;
    })
    .join('');

const filledWith = (text: string, found: Readonly<Record<string, string | undefined>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => {
    const value = found[name] ?? all;
    return name === 'what' ? (NOUNS[value] ?? value) : value;
  });

function translating(pattern: string, indonesian: string): Translate {
  const wanted = new RegExp(`^${pattern}$`, 's');
  return (reason) => {
    const found = wanted.exec(reason);
    // A sentence that names nothing has no groups.
    return found && filledWith(indonesian, found.groups ?? {});
  };
}

const whole = [...SENTENCES, ...WARNINGS, ...RECORD_FAULTS].map(([english, indonesian]) =>
  translating(patternOf(english), indonesian),
);
/** `The name field must be ...`, and `name must be ... (is "x")`. */
const ofFields = RULES.flatMap(([english, indonesian]) => [
  translating(`The (?<_field>\\S+) field ${patternOf(english)}\\.?`, `{_field} ${indonesian}.`),
  translating(
    `(?<_field>(?!The ).{1,200}?) ${patternOf(english)} \\(is (?<_given>".*")\\)\\.`,
    `{_field} ${indonesian} (isinya {_given}).`,
  ),
  translating(`(?<_field>(?!The ).{1,200}?) ${patternOf(english)}\\.`, `{_field} ${indonesian}.`),
]);
const ALL: readonly Translate[] = [...whole, ...ofFields];

const PLACE = /^(Step \d+: |[a-z][a-z_.]*: )?(.+)$/s;

/** One sentence, with the name of a field or a step in front of it or not; null when there is no text for it. */
function sentence(reason: string): string | null {
  const [, place = '', said = reason] = PLACE.exec(reason) ?? [];
  for (const translate of ALL) {
    const text = translate(said);
    if (text !== null) return place.replace('Step', 'Langkah') + text;
  }
  return null;
}

/** Why an operation was refused, in the language of a page. A reason that has no text in it stays English. */
export function reasonIn(language: Language, reason: string): string {
  if (language === 'en') return reason;
  const incomplete = incompleteInIndonesian(reason);
  if (incomplete !== null) return incomplete;
  if (reason.length > LONGEST) return reason;
  const each = reason.split(/(?<=\.) (?=The )/).map(sentence);
  return each.every((one) => one !== null) ? each.join(' ') : (sentence(reason) ?? reason);
}
