import Joi, { type CustomHelpers, type StringSchema } from 'joi';
import { inJsonSchema, plainly } from './json-schema';

/** True when the text has at most `max` Unicode code points. Reads no more of it than needed. */
export function codePointsAtMost(text: string, max: number): boolean {
  if (text.length <= max) return true;
  if (text.length > 2 * max) return false;
  let surplus = text.length - max;
  for (let i = 0; i < text.length - 1 && surplus > 0; i++) {
    if (isHigh(text.charCodeAt(i)) && isLow(text.charCodeAt(i + 1))) {
      surplus--;
      i++;
    }
  }
  return surplus <= 0;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

type Check = (value: string, helpers: CustomHelpers<string>) => unknown;

/** JSON Schema's pattern of text that is more than spaces: those are trimmed, and empty text counts as absent. */
export const NOT_BLANK = '\\S';

/** True for text of 1 to `max` characters, however they are counted. */
export const shortText =
  (max: number) =>
  (value: unknown): boolean =>
    typeof value === 'string' && value !== '' && value.length <= max;

/** Text of at most `max` code points; `check` may check (and change) it further. */
export function text(max: number, check?: Check): StringSchema {
  return Joi.string()
    .custom((value: string, helpers: CustomHelpers<string>) => {
      if (!codePointsAtMost(value, max)) return helpers.error('text.max', { limit: max });
      return check ? check(value, helpers) : value;
    })
    .meta({
      ...inJsonSchema({ minLength: 1, maxLength: max, pattern: NOT_BLANK }),
      ...(!check && plainly(shortText(max))),
    });
}
