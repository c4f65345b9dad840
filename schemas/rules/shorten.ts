import type { FieldKind, Fields, Shape } from './normalize';

/** Every rule refuses a text of so many characters: the longest, `html`, may have 500,000 code points. */
const TEXT_KEPT = 1_048_576;
/** Every rule refuses a list or an object with so many members. */
const MEMBERS_KEPT = 200;
/** Every rule refuses a text inside a list or an object with so many characters. */
const MEMBER_TEXT_KEPT = 5_000;

/**
 * Shortens normalized fields that the rules refuse anyway, to the least that they refuse with the same errors. Then
 * passing the fields from thread to thread, and checking them, costs little, whatever a caller sends.
 */
export function shorten(shape: Shape, fields: Fields): Fields {
  const kept = Object.entries(fields).map(([name, value]) => [name, shortValue(shape[name]!, value)] as const);
  return Object.fromEntries(kept);
}

function shortValue(kind: FieldKind, value: unknown): unknown {
  if (typeof value === 'string') return shortText(value, TEXT_KEPT);
  if (value instanceof Uint8Array || typeof value !== 'object' || value === null) return value;
  if (typeof kind === 'object') return Array.isArray(value) ? value.map((item) => shortItem(kind.items, item)) : {};
  if (kind !== 'raw' && kind !== 'list') return empty(value);
  if (Array.isArray(value)) return kind === 'list' ? value.slice(0, MEMBERS_KEPT).map(shortMember) : [];
  return Object.fromEntries(Object.entries(value).slice(0, MEMBERS_KEPT).map(shortEntry));
}

function shortItem(shape: Shape, item: unknown): unknown {
  const isFields = typeof item === 'object' && item !== null && !Array.isArray(item);
  return isFields ? shorten(shape, item as Fields) : shortMember(item);
}

function shortMember(value: unknown): unknown {
  if (typeof value === 'string') return shortText(value, MEMBER_TEXT_KEPT);
  return typeof value === 'object' && value !== null ? empty(value) : value;
}

/** Ends in no space: the text is trimmed once more, and must not become one that the rules accept. */
const shortText = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}.` : text);

/** A name that was cut gets the number of its member, so that two do not become one. */
function shortEntry([name, value]: [string, unknown], number: number): [string, unknown] {
  return [name.length > MEMBER_TEXT_KEPT ? name.slice(0, 100) + number : name, shortMember(value)];
}

const empty = (value: object): object => (Array.isArray(value) ? [] : {});

/** The memory of the decoded base64 in the fields, to be transferred instead of copied. */
export function transferables(fields: Fields): ArrayBuffer[] {
  return Object.values(fields).flatMap((value): ArrayBuffer[] => {
    if (value instanceof Uint8Array) return isOwnMemory(value) ? [value.buffer as ArrayBuffer] : [];
    return Array.isArray(value) ? value.flatMap((item: unknown) => transferables(membersOf(item))) : [];
  });
}

/** Small buffers share the memory of Node's pool, which cannot be transferred. */
const isOwnMemory = ({ buffer, byteLength }: Uint8Array): boolean => buffer.byteLength === byteLength;

const membersOf = (item: unknown): Fields => (typeof item === 'object' && item !== null ? (item as Fields) : {});
