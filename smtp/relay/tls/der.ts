/** Encoding of ASN.1 values in DER (ITU-T X.690), as far as a certificate needs it. */

const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8_STRING = 0x0c;
const UTC_TIME = 0x17;
const GENERALIZED_TIME = 0x18;
const SEQUENCE = 0x30;
const SET = 0x31;

/** Any value by its tag. */
export function tagged(tag: number, ...content: readonly Buffer[]): Buffer {
  const body = Buffer.concat(content);
  return Buffer.concat([Buffer.from([tag]), length(body.length), body]);
}

function length(octets: number): Buffer {
  if (octets < 0x80) return Buffer.from([octets]);
  const digits = octets.toString(16);
  const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
  return Buffer.concat([Buffer.from([0x80 | bytes.length]), bytes]);
}

export const sequence = (...content: readonly Buffer[]): Buffer => tagged(SEQUENCE, ...content);
export const set = (...content: readonly Buffer[]): Buffer => tagged(SET, ...content);
export const octetString = (content: Buffer): Buffer => tagged(OCTET_STRING, content);
/** Whole octets. */
export const bitString = (content: Buffer): Buffer => tagged(BIT_STRING, Buffer.from([0]), content);
export const utf8String = (text: string): Buffer => tagged(UTF8_STRING, Buffer.from(text));
export const TRUE = Buffer.from([0x01, 0x01, 0xff]);

/** A positive integer from its big-endian octets. */
export function integer(octets: Buffer): Buffer {
  const first = octets.findIndex((octet) => octet !== 0);
  const trimmed = first === -1 ? Buffer.from([0]) : octets.subarray(first);
  return tagged(INTEGER, Buffer.from((trimmed[0] ?? 0) >= 0x80 ? [0] : []), trimmed);
}

/** An object identifier from its dotted form. */
export function objectId(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
  return tagged(OBJECT_ID, Buffer.from([40 * first + second, ...rest.flatMap(base128)]));
}

function base128(value: number): number[] {
  const digits = [value & 0x7f];
  for (let left = value >>> 7; left > 0; left >>>= 7) digits.unshift(0x80 | (left & 0x7f));
  return digits;
}

/** A time in ms; UTCTime before 2050 and GeneralizedTime from then on (RFC 5280 section 4.1.2.5). */
export function time(ms: number): Buffer {
  const date = new Date(ms);
  const digits = `${date.toISOString().replace(/\D/g, '').slice(0, 14)}Z`;
  const isShort = date.getUTCFullYear() < 2050;
  return tagged(isShort ? UTC_TIME : GENERALIZED_TIME, Buffer.from(isShort ? digits.slice(2) : digits));
}
