import { isHardClass } from './bounce-class';
import type { BounceRule, Classified } from './bounce-rule';
import { hasPhrase, readPhrase, type Phrase } from './phrase';
import { readRefusal, type RefusalText } from './refusal-text';
import builtIn from './rules.json';

/** The rules that Kurir comes with, in the order they are tried. */
export const BUILT_IN_RULES = builtIn as readonly BounceRule[];

interface Prepared {
  rule: BounceRule;
  code: readonly string[] | null;
  text: readonly Phrase[] | null;
  unless: readonly Phrase[];
}

const UNKNOWN: Classified = { class: 'unknown', hard: false, rule: null };

/** Reads refusals by rules; the first that fits decides (docs/bounces.md#rules). */
export class BounceRules {
  private readonly rules: readonly Prepared[];

  /** `added` are an operator's and come before those that Kurir comes with. */
  constructor(added: readonly BounceRule[] = []) {
    this.rules = [...added, ...BUILT_IN_RULES].map((rule) => ({
      rule,
      code: rule.code ?? null,
      text: rule.text?.map(readPhrase) ?? null,
      unless: rule.unless?.map(readPhrase) ?? [],
    }));
  }

  /** The class of a refusal: codes and text as a server wrote them, of any length. Never throws. */
  classify(refusal: string): Classified {
    const read = readRefusal(refusal);
    const found = this.rules.find((rule) => fits(rule, read))?.rule;
    if (!found) return UNKNOWN;
    return { class: found.class, hard: found.hard ?? isHardClass(found.class), rule: found.rule };
  }
}

/** The rules without those of an operator. */
export const builtInRules = new BounceRules();

function fits({ code, text, unless }: Prepared, read: RefusalText): boolean {
  return (
    (code === null || code.some((wanted) => hasCode(wanted, read))) &&
    (text === null || text.some((phrase) => hasPhrase(read.text, phrase))) &&
    !unless.some((phrase) => hasPhrase(read.text, phrase))
  );
}

function hasCode(wanted: string, { enhanced, replies, severity }: RefusalText): boolean {
  if (wanted.length === 1) return severity === wanted;
  if (!wanted.includes('.')) return replies.includes(wanted);
  if (!wanted.startsWith('x.')) return enhanced.includes(wanted);
  const rest = wanted.slice(1);
  return enhanced.includes(`4${rest}`) || enhanced.includes(`5${rest}`);
}
