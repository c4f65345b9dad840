import Joi, { type CustomHelpers } from 'joi';
import type { MetadataValue } from '../../domain/messages/message';
import type { InnerFault } from '../rules/validation-messages';
import { codePointsAtMost } from '../rules/text';
import { inJsonSchema, plainly } from '../rules/json-schema';

const MAX_KEYS = 10;
const MAX_TEXT = 500;
/** No more values are judged: there are too many keys anyway. */
const MAX_JUDGED = 100;
const KEY = /^[A-Za-z0-9_.-]{1,40}$/;

/** The caller's own object (docs/contract.md#metadata): at most 10 keys, plain values, no nesting. */
export const metadata = Joi.any()
  .custom((value: unknown, helpers: CustomHelpers) => {
    if (!isObject(value)) return helpers.error('object.base');
    const entries = Object.entries(value);
    const faults = findFaults(entries);
    if (faults.length > 0) return helpers.error('metadata.faults', { faults });
    // fromEntries defines properties; an assignment would lose the key `__proto__`, which is allowed.
    return Object.fromEntries<MetadataValue>(entries);
  })
  .meta({
    ...inJsonSchema({
      type: 'object',
      maxProperties: MAX_KEYS,
      propertyNames: { pattern: KEY.source },
      additionalProperties: { type: ['string', 'number', 'boolean', 'null'], maxLength: MAX_TEXT },
    }),
    ...plainly((value) => isObject(value) && findFaults(Object.entries(value)).length === 0),
  });

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every fault of the keys and the first values. An invalid key is never named, since it may be as long as the body. */
function findFaults(entries: readonly [string, unknown][]): InnerFault[] {
  const named = entries.filter(([key]) => KEY.test(key));
  const faults: InnerFault[] = [];
  if (entries.length > MAX_KEYS) faults.push({ code: 'metadata.keys', limit: MAX_KEYS });
  if (named.length < entries.length) faults.push({ code: 'metadata.key' });
  for (const [member, item] of named.slice(0, MAX_JUDGED)) {
    if (!isPlain(item)) faults.push({ code: 'metadata.value', member });
    else if (typeof item === 'string' && !codePointsAtMost(item, MAX_TEXT)) {
      faults.push({ code: 'text.max', member, limit: MAX_TEXT });
    }
  }
  return faults;
}

function isPlain(item: unknown): boolean {
  return item === null || typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item);
}
