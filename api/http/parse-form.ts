import { isUtf8 } from 'node:buffer';
import { ApiError } from '../errors';

/** The parts of a request that use the form syntax. */
type FormPart = 'body' | 'query';

const MAX_FIELDS = 1_000;
/** Maximum number of names of a field: its own and those in brackets; `attachments[0][filename]` has three. */
const MAX_NAMES = 5;
const [AMPERSAND, EQUALS, PERCENT, PLUS, SPACE] = [0x26, 0x3d, 0x25, 0x2b, 0x20];
/** The value of each byte as a hex digit; NaN for others. */
const HEX = Float64Array.from({ length: 256 }, (_, byte) => {
  const digit = String.fromCharCode(byte);
  return /[0-9a-f]/i.test(digit) ? parseInt(digit, 16) : NaN;
});
const PART_NAMES: Readonly<Record<FormPart, string>> = { body: 'request body', query: 'query string' };

/** The data sent under one name. */
interface Node {
  texts: string[];
  /** Named with `[]` at least once, so that a single text is still a list. */
  isList: boolean;
  members: Map<string, Node>;
}

/**
 * Parses a form in bracket notation (UTF-8) into text, lists (`name[]` and repeated names) and objects (every other
 * name in brackets; the rules decide if `name[0]` is a list index). Any text is a valid name, even `__proto__`, since
 * nothing is assigned to it. The work grows with the length only. ApiError 400 for more than 1,000 fields, more than 4
 * pairs of brackets, or escapes that are not UTF-8.
 */
export function parseForm(bytes: Buffer, part: FormPart): object {
  const root = newNode();
  for (const pair of pairsOf(bytes, part)) {
    // Only the first `=` separates; a value may contain more of them, and brackets.
    const equals = pair.indexOf(EQUALS);
    const end = equals < 0 ? pair.length : equals;
    const names = namesOf(decode(pair.subarray(0, end), part));
    if (names.length > MAX_NAMES) throw malformed(part, 'is nested too deeply');
    if (names[0] !== '') add(root, names, decode(pair.subarray(end + 1), part));
  }
  return membersOf(root);
}

function pairsOf(bytes: Buffer, part: FormPart): Buffer[] {
  const pairs: Buffer[] = [];
  for (let start = 0; start <= bytes.length;) {
    const found = bytes.indexOf(AMPERSAND, start);
    const end = found < 0 ? bytes.length : found;
    if (pairs.push(bytes.subarray(start, end)) > MAX_FIELDS) throw malformed(part, 'has too many fields');
    start = end + 1;
  }
  return pairs;
}

/** Splits `a[b][c]` into a, b, c. Malformed brackets become one unknown name, which the rules refuse. */
function namesOf(key: string): string[] {
  const open = key.indexOf('[');
  if (open < 0) return [key];
  const [name, rest] = [key.slice(0, open), key.slice(open)];
  return [name, ...(rest.endsWith(']') ? rest.slice(1, -1).split('][', MAX_NAMES) : [rest])];
}

function add(root: Node, names: readonly string[], text: string): void {
  const appends = names.length > 1 && names.at(-1) === '';
  let node = root;
  for (const name of appends ? names.slice(0, -1) : names) {
    // `attachments[][filename]` and `attachments[][content]` belong to the same item, the first.
    const key = name === '' ? '0' : name;
    const known = node.members.get(key);
    const member = known ?? newNode();
    if (!known) node.members.set(key, member);
    node = member;
  }
  node.texts.push(text);
  node.isList ||= appends;
}

function newNode(): Node {
  return { texts: [], isList: false, members: new Map() };
}

function membersOf({ members }: Node): object {
  return Object.fromEntries([...members].map(([name, node]) => [name, valueOf(node)]));
}

/** A name used for both a text and an object becomes a list of both, which every rule refuses. */
function valueOf(node: Node): unknown {
  const { texts, isList, members } = node;
  if (members.size > 0) return texts.length > 0 ? [...texts, membersOf(node)] : membersOf(node);
  return isList || texts.length > 1 ? texts : texts[0];
}

/** The text of an encoded name or value. As in browsers, a percent sign without two hex digits is kept as it is. */
function decode(encoded: Buffer, part: FormPart): string {
  if (!encoded.includes(PERCENT) && !encoded.includes(PLUS)) return encoded.toString('utf8');
  const bytes = Buffer.allocUnsafe(encoded.length);
  let length = 0;
  for (let at = 0; at < encoded.length; at++) {
    const byte = encoded[at]!;
    const escaped = byte === PERCENT ? HEX[encoded[at + 1]!]! * 16 + HEX[encoded[at + 2]!]! : NaN;
    if (escaped >= 0) at += 2;
    bytes[length++] = escaped >= 0 ? escaped : byte === PLUS ? SPACE : byte;
  }
  const text = bytes.subarray(0, length);
  if (!isUtf8(text)) throw malformed(part, 'is not valid UTF-8');
  return text.toString('utf8');
}

function malformed(part: FormPart, what: string): ApiError {
  return new ApiError(`malformed_${part}`, { text: `The ${PART_NAMES[part]} ${what}.` });
}
