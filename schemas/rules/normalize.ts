import { decodeBase64 } from '../messages/base64';

/**
 * The source of request fields. Numbers and booleans are parsed from text only in forms and query strings
 * (docs/contract.md#request-bodies).
 */
export type Source = 'json' | 'form';

/**
 * How a field is normalized. `clearable` is text that null clears: there null is a value. `base64` is decoded, `raw`
 * values are not changed inside (metadata), `list` is a list of text, `items` a list of objects of which the rules
 * allow `most`.
 */
export type FieldKind =
  'text' | 'clearable' | 'base64' | 'integer' | 'boolean' | 'raw' | 'list' | { items: Shape; most: number };
export type Shape = Readonly<Record<string, FieldKind>>;
export type Fields = Record<string, unknown>;

const WHOLE_NUMBER = /^-?\d+$/;
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
/** In the place of every text that is not base64, which may be long. It is not base64 either. */
const NOT_BASE64 = '-';
const INDEX = /^(0|[1-9]\d{0,5})$/;

/**
 * Copies the known fields of a request by the general conventions of the contract (docs/contract.md#trimming): text is
 * trimmed, empty text and null count as absent, unknown fields are ignored. Only own properties are read, so
 * `__proto__` in the body is just another unknown field. Values of a wrong type are passed on for the rules to refuse.
 * To normalize the result again changes nothing.
 */
export function normalize(shape: Shape, input: object, source: Source): Fields {
  const fields: Fields = {};
  for (const name of Object.keys(shape)) {
    if (!Object.hasOwn(input, name)) continue;
    const value = normalizeValue(shape[name]!, (input as Fields)[name], source);
    if (value !== undefined) fields[name] = value;
  }
  return fields;
}

function normalizeValue(kind: FieldKind, value: unknown, source: Source): unknown {
  if (value === null) return kind === 'clearable' ? null : undefined;
  if (typeof value === 'string') {
    const text = value.trim();
    if (text === '') return undefined;
    if (kind === 'base64') return decodeBase64(text) ?? NOT_BASE64;
    return source === 'form' ? readText(kind, text) : text;
  }
  // Decoded in another thread, from which a Buffer arrives as plain bytes.
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (kind !== 'list' && typeof kind !== 'object') return value;
  const list = source === 'form' ? listed(value) : value;
  if (kind === 'list' || !Array.isArray(list)) return list;
  // One more than allowed is refused like any number of them, and costs no more to check.
  return list.slice(0, kind.most + 1).map((item) => normalizeItem(kind.items, item, source));
}

function readText(kind: FieldKind, text: string): unknown {
  if (kind === 'integer' && WHOLE_NUMBER.test(text)) return Number(text);
  return kind === 'boolean' ? (BOOLEANS.get(text) ?? text) : text;
}

/**
 * Forms number the members of a list (`attachments[0]`); only the kind of the field distinguishes a list from an
 * object.
 */
export function listed(value: unknown): unknown {
  if (!isObject(value)) return value;
  // Object.values returns numbered members in numeric order.
  return Object.keys(value).every((name) => INDEX.test(name)) ? Object.values(value) : value;
}

function normalizeItem(shape: Shape, item: unknown, source: Source): unknown {
  return isObject(item) ? normalize(shape, item, source) : item;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
