import { isEmailAddress, MAX_ADDRESS } from './email-address';
import { text } from './text';
import { inJsonSchema, plainly } from './json-schema';

const NON_ASCII = /[^\x20-\x7e]/;
const ASCII_LOCAL = '^[ -~]+@[^@]+$';

/** One valid email address. */
export const emailAddress = text(MAX_ADDRESS, (value, { error }) =>
  isEmailAddress(value) ? value : error('email.invalid'),
).meta(inJsonSchema({ format: 'idn-email' }));

/**
 * True for an address whose part before the @ is ASCII: another would require SMTPUTF8 from every server on the way.
 */
export const isHeaderAddress = (text: string): boolean =>
  isEmailAddress(text) && !NON_ASCII.test(text.slice(0, text.lastIndexOf('@')));

/** An address for From or Reply-To. */
export const headerAddress = text(MAX_ADDRESS, (value, { error }) => {
  if (isHeaderAddress(value)) return value;
  return error(isEmailAddress(value) ? 'email.local' : 'email.invalid');
}).meta({
  ...inJsonSchema({ format: 'idn-email', pattern: ASCII_LOCAL }),
  ...plainly((value) => typeof value === 'string' && isHeaderAddress(value)),
});
