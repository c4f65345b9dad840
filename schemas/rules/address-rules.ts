import { isEmailAddress, MAX_ADDRESS } from './email-address';
import { text } from './text';
import { inJsonSchema } from './json-schema';

const NON_ASCII = /[^\x20-\x7e]/;
const ASCII_LOCAL = '^[ -~]+@[^@]+$';

/** One valid email address. */
export const emailAddress = text(MAX_ADDRESS, (value, { error }) =>
  isEmailAddress(value) ? value : error('email.invalid'),
).meta(inJsonSchema({ format: 'idn-email' }));

/** An address for From or Reply-To: a non-ASCII local part would require SMTPUTF8 from every server on the way. */
export const headerAddress = text(MAX_ADDRESS, (value, { error }) => {
  if (!isEmailAddress(value)) return error('email.invalid');
  return NON_ASCII.test(value.slice(0, value.lastIndexOf('@'))) ? error('email.local') : value;
}).meta(inJsonSchema({ format: 'idn-email', pattern: ASCII_LOCAL }));
