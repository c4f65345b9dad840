import Joi, { type CustomHelpers } from 'joi';
import type { MetadataValue } from '../domain/message';
import { codePointsAtMost } from './text';

const MAX_KEYS = 10;
const MAX_TEXT = 500;
const KEY = /^[A-Za-z0-9_.-]{1,40}$/;

/** The caller's own object (spec, POST /messages): at most 10 keys, plain values, no nesting. */
export const metadata = Joi.any().custom((value: unknown, helpers: CustomHelpers) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return helpers.error('object.base');
  const entries = Object.entries(value);
  if (entries.length > MAX_KEYS) return helpers.error('metadata.keys', { limit: MAX_KEYS });
  for (const [key, item] of entries) {
    if (!KEY.test(key)) return helpers.error('metadata.key');
    if (typeof item === 'string' && !codePointsAtMost(item, MAX_TEXT)) {
      return helpers.error('text.max', { member: key, limit: MAX_TEXT });
    }
    if (!isPlain(item)) return helpers.error('metadata.value', { member: key });
  }
  // fromEntries defines properties, where an assignment to `__proto__` would lose that (allowed) key.
  return Object.fromEntries<MetadataValue>(entries);
});

function isPlain(item: unknown): boolean {
  return item === null || typeof item === 'string' || typeof item === 'boolean' || Number.isFinite(item);
}
