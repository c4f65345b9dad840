import type { BounceClass } from '../../../domain/bounces/bounce-class';
import type { Classified } from '../../../domain/bounces/bounce-rule';
import type { Rules } from '../remembered-rules';

/** A reply that is quoted in prose, or a code alone, up to the end of its line, quotes or parenthesis. */
const QUOTED =
  /(?<![\d.:/@[\w-])(?:[45][0-5]\d[ -]#?)?[245]\.[0-7]\.\d{1,3}(?![\d]|\.\d)(?:(?<=[45][0-5]\d[ -]#?\d\.\d\.\d{1,3})[^\n)"'”’»]{0,400})?/g;
const CODES = /(?<![\d.])[245]\.[0-7]\.\d{1,3}(?!\d)/g;
const MAX_QUOTED = 20;
/** What a server tells a person of any failure: it says nothing against a code. */
const GENERAL: ReadonlySet<BounceClass> = new Set(['unknown', 'temporary_trouble', 'expired']);

/**
 * What words for people mean (docs/bounces.md#hard-or-not): first what they say as a whole; else the codes in them, and
 * `status` beside them, when each is one of a dead address and no word near them speaks of something else. Takes time
 * in proportion to the text.
 */
export function classifyProse(rules: Rules, prose: string, status = ''): Classified {
  const said = rules.classify(`${status} ${prose}`);
  if (said.hard) return said;
  const quoted = [...(status === '' ? [] : [status]), ...quotedIn(prose)];
  const read = quoted.map((text) => ({ found: rules.classify(text), alone: rules.classify(codesOf(text)) }));
  // Words of a reply, or a token in it, say more than the page around them; a code alone says less.
  const inWords = read.find(({ found, alone }) => found.class !== 'unknown' && found.rule !== alone.rule)?.found;
  if (read.length === 0 || read.some(({ found }) => !found.hard)) return inWords?.hard === false ? inWords : said;
  if (inWords) return inWords;
  const byCode = read[0]!.found;
  const near = status === '' ? rules.classify(besideCodes(prose)) : said;
  return near.rule === byCode.rule || GENERAL.has(near.class) ? byCode : near;
}

/** What is quoted; without codes that one of the replies has with its words. */
function quotedIn(prose: string): string[] {
  const all = [...new Set(prose.match(QUOTED) ?? [])].slice(0, MAX_QUOTED);
  return all.filter((text) => !all.some((other) => other.length > text.length && other.includes(text)));
}

const codesOf = (text: string): string => text.match(CODES)?.join(' ') ?? text;

/** The lines with a code, with the one before each and the one after. */
function besideCodes(prose: string): string {
  const lines = prose.split('\n').filter((line) => line.trim() !== '');
  return lines
    .filter(
      (_, n) =>
        lines
          .slice(Math.max(0, n - 1), n + 2)
          .join('\n')
          .search(CODES) >= 0,
    )
    .join('\n');
}
