import type { BounceRules } from '../../domain/bounces/bounce-rules';
import type { Classified } from '../../domain/bounces/bounce-rule';

/** What reads refusals. */
export type Rules = Pick<BounceRules, 'classify'>;

/** For one mail: what it says again and again is read once. */
export function rememberedRules(rules: Rules): Rules {
  const known = new Map<string, Classified>();
  return {
    classify: (refusal) => {
      const found = known.get(refusal) ?? rules.classify(refusal);
      known.set(refusal, found);
      return found;
    },
  };
}
