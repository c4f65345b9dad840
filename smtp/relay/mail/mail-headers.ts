import { RELAY_HEADERS, type HeaderValues } from '../../../schemas/messages/send-message';
import { decodeWords } from './encoded-words';
import type { HeaderFields } from './header-fields';
import { readFirstMailbox, readOnlyMailbox, type Mailbox } from './mailbox';
import { unusable, wrongSender } from './unreadable-mail';

const IDEMPOTENCY_KEY = 'X-Kurir-Idempotency-Key';
/** docs/contract.md#idempotency-key */
const [SHORTEST_KEY, LONGEST_KEY] = [8, 100];
const LONGEST_MESSAGE_ID = 998;

/**
 * The sender of the header From. Throws UnreadableMail unless one From names one address
 * (docs/contract.md#relay-replies).
 */
export function readFrom(fields: HeaderFields): Mailbox {
  const [from, ...others] = fields.get('from') ?? [];
  if (from === undefined) throw wrongSender('The mail has no From header.');
  if (others.length > 0) throw wrongSender('The mail has more than one From header.');
  const mailbox = readOnlyMailbox(from);
  if (!mailbox) throw wrongSender('The From header must name exactly one valid address, and no group.');
  return mailbox;
}

/** The first valid address of Reply-To, or null. */
export function readReplyTo(fields: HeaderFields): string | null {
  return readFirstMailbox(fields.get('reply-to')?.[0] ?? '')?.address ?? null;
}

/** The subject on one line; empty when there is none. */
export function readSubject(fields: HeaderFields): string {
  return decodeWords(fields.get('subject')?.[0] ?? '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .trim();
}

/** Without brackets, comments and white space, so that two copies of a mail have the same; null when there is none. */
export function readMessageId(fields: HeaderFields): string | null {
  const field = fields.get('message-id')?.[0] ?? '';
  const id = (/<([^<>]+)>/.exec(field)?.[1] ?? field).replace(/[\p{Cc}\p{Z}]+/gu, '');
  return id !== '' && id.length <= LONGEST_MESSAGE_ID ? id : null;
}

/** The values of our headers that give fields of POST /messages, each as its field is read. Throws UnreadableMail. */
export const readOurs = (fields: HeaderFields): HeaderValues =>
  Object.fromEntries(
    RELAY_HEADERS.map(({ name, header, read }) => {
      const text = only(fields, header);
      return [name, text === null || read !== 'raw' ? text : readObject(header, text)];
    }),
  ) as HeaderValues;

/** The object of a header. Throws UnreadableMail for anything else (docs/contract.md#relay-headers). */
function readObject(header: string, text: string): object {
  const parsed = parseJson(text);
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw unusable(`The ${header} header must be a JSON object, such as {"order":"42"}.`);
  }
  if (Object.values(parsed).some((value) => typeof value === 'object' && value !== null)) {
    throw unusable(`The values in ${header} must be text, numbers, true, false or null.`);
  }
  return parsed;
}

/** The key of X-Kurir-Idempotency-Key, or null. Throws UnreadableMail for a wrong length. */
export function readIdempotencyKey(fields: HeaderFields): string | null {
  const key = only(fields, IDEMPOTENCY_KEY);
  if (key === null) return null;
  if (key.length < SHORTEST_KEY || key.length > LONGEST_KEY) {
    throw unusable(`The ${IDEMPOTENCY_KEY} header must have ${SHORTEST_KEY} to ${LONGEST_KEY} characters.`);
  }
  return key;
}

/** The decoded value of a header that may stand once; an empty one counts as absent. */
function only(fields: HeaderFields, name: string): string | null {
  const values = fields.get(name.toLowerCase()) ?? [];
  if (values.length > 1) throw unusable(`The mail has more than one ${name} header.`);
  return decodeWords(values[0] ?? '').trim() || null;
}

/** Undefined for what is no JSON. A tab, as folding may leave inside a text, is read as a space. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/\t/g, ' '));
  } catch {
    return undefined;
  }
}
