import Joi, { type AnySchema } from 'joi';
import { RETURNED_FACTS, type Metadata, type ReturnedFacts } from '../../domain/messages/message';
import { snakeCase, type SnakeCase } from '../../lib/snake-case';
import { inJsonSchema } from '../rules/json-schema';
import type { Fields } from './closed';

interface Returned<V> {
  rule: AnySchema;
  /** Left out: as it is. */
  present?: (value: V) => unknown;
}

/** How the facts that are the caller's own come back: in answers, lists, webhooks and the feed. */
const RETURNED = {
  metadata: {
    rule: Joi.object<Metadata>()
      .meta(inJsonSchema({ additionalProperties: { type: ['string', 'number', 'boolean', 'null'] } }))
      .description('Your own data; `{}` if there is none.'),
    present: (value): Metadata => value ?? {},
  },
} as const satisfies { [N in keyof ReturnedFacts]: Returned<ReturnedFacts[N]> };

/** Their rules, by the names in answers. */
export const returnedRules = Object.fromEntries(
  RETURNED_FACTS.map((name) => [snakeCase(name), RETURNED[name].rule]),
) as { [N in keyof ReturnedFacts as SnakeCase<N>]: (typeof RETURNED)[N]['rule'] };

const SHOWN = RETURNED_FACTS.map((fact) => {
  const { present = (value: unknown) => value } = RETURNED[fact] as Returned<unknown>;
  return [fact, snakeCase(fact), present] as const;
});

/** The facts of a message that are its caller's own, as JSON; without a message, as if there were none. */
export function presentReturned(message: ReturnedFacts | null): Fields<typeof returnedRules> {
  const answer: Record<string, unknown> = {};
  for (const [fact, name, present] of SHOWN) answer[name] = present(message && message[fact]);
  return answer as Fields<typeof returnedRules>;
}
