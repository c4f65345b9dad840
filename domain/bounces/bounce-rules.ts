import { isHardClass } from './bounce-class';
import type { BounceRule, Classified } from './bounce-rule';
import { allowsHard, saysLittle, speaksOfOthers } from './hardness';
import { PhraseIndex } from './phrase-index';
import { readRefusal, type RefusalText } from './refusal-text';
import builtIn from './rules.json';

/** The rules that Kurir comes with, in the order they are tried. */
export const BUILT_IN_RULES = builtIn as readonly BounceRule[];

/** A rule with the numbers of its phrases. */
interface Prepared {
  rule: BounceRule;
  text: readonly number[] | null;
  unless: readonly number[];
}

const UNKNOWN: Classified = { class: 'unknown', hard: false, rule: null };

/** Reads refusals by rules; the first that fits decides (docs/bounces.md#rules). */
export class BounceRules {
  private readonly phrases = new PhraseIndex();
  private rules: readonly Prepared[] | null = null;

  /** `added` are an operator's and come before those that Kurir comes with. */
  constructor(private readonly added: readonly BounceRule[] = []) {}

  /** At the first refusal: it takes 30 ms, and most commands read none. */
  private prepare(): readonly Prepared[] {
    return [...this.added, ...BUILT_IN_RULES].map((rule) => ({
      rule,
      text: rule.text ? this.phrases.add(rule.text) : null,
      unless: this.phrases.add(rule.unless ?? []),
    }));
  }

  /** The class of a refusal: codes and text as a server wrote them, of any length. Never throws. */
  classify(refusal: string): Classified {
    const rules = (this.rules ??= this.prepare());
    const read = readRefusal(refusal);
    const said = this.phrases.find(read.text);
    const found = rules.find((rule) => fits(rule, read, said))?.rule;
    return found ? { class: found.class, hard: isHard(found, read), rule: found.rule } : UNKNOWN;
  }
}

/** The rules without those of an operator. */
export const builtInRules = new BounceRules();

function fits({ rule, text, unless }: Prepared, read: RefusalText, said: ReadonlySet<number>): boolean {
  return (
    (rule.code === undefined || rule.code.some((wanted) => hasCode(wanted, read))) &&
    (text === null || text.some((phrase) => said.has(phrase))) &&
    !unless.some((phrase) => said.has(phrase)) &&
    (!isHardClass(rule.class) || maySayGone(rule, read))
  );
}

/** The order of evidence, first half (docs/bounces.md#hard-or-not): a code of class 4, then what else is spoken of. */
const maySayGone = ({ class: bounceClass, hard }: BounceRule, read: RefusalText): boolean =>
  !read.isTemporary && (hard !== undefined || !speaksOfOthers(bounceClass, read));

/** Second half: what the rule says, or else whether the codes allow it. */
function isHard({ class: bounceClass, hard, code, text }: BounceRule, read: RefusalText): boolean {
  if (read.isTemporary) return false;
  // A code alone proves nothing beside words that no rule knows.
  if (hard === undefined && text === undefined && !saysLittle(read)) return false;
  return hard ?? (isHardClass(bounceClass) && allowsHard(read, code ?? []));
}

/** Whether a refusal has a code as rules write them, see BounceRule. */
export function hasCode(wanted: string, { enhanced, replies, severity, isTemporary }: RefusalText): boolean {
  if (wanted === '4' && isTemporary) return true;
  if (wanted.length === 1) return severity === wanted;
  if (!wanted.includes('.')) return replies.includes(wanted);
  if (!wanted.startsWith('x.')) return enhanced.includes(wanted);
  const rest = wanted.slice(1);
  return enhanced.includes(`4${rest}`) || enhanced.includes(`5${rest}`);
}
