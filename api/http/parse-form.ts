import { ApiError } from '../errors';

/** What is written as a form. */
type FormPart = 'body' | 'query';

const MAX_FIELDS = 1_000;
/** Names of a field: its own and those in brackets; `attachments[0][filename]` has three. */
const MAX_NAMES = 5;
const PART_NAMES: Readonly<Record<FormPart, string>> = { body: 'request body', query: 'query string' };

/** What was sent under one name. */
interface Node {
  texts: string[];
  /** Named by `[]` at least once, so that a single text is a list, too. */
  isList: boolean;
  members: Map<string, Node>;
}

/**
 * The fields of a form in bracket notation, as text, lists (`name[]` and repeated names) and objects (every other name in
 * brackets: whether `name[0]` counts the members of a list is for the rules to know). Any text is a name like any other,
 * `__proto__` too: nothing is ever assigned to it. ApiError 400 for more than 1,000 fields, more than 4 pairs of brackets
 * and escapes that are not UTF-8.
 */
export function parseForm(text: string, part: FormPart): object {
  const pairs = text.split('&', MAX_FIELDS + 1);
  if (pairs.length > MAX_FIELDS) throw malformed(part, 'has too many fields');
  const root = newNode();
  for (const pair of pairs) {
    // Only the first `=` separates; a value may hold more of them, and brackets.
    const end = pair.includes('=') ? pair.indexOf('=') : pair.length;
    const names = namesOf(decode(pair.slice(0, end), part));
    if (names.length > MAX_NAMES) throw malformed(part, 'is nested too deeply');
    if (names[0] !== '') add(root, names, decode(pair.slice(end + 1), part));
  }
  return membersOf(root);
}

/** `a[b][c]` as a, b, c. What follows a name in no proper brackets is one strange name: the rules refuse it. */
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
    // `attachments[][filename]` and `attachments[][content]` are of one and the same, the first.
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

/** A name used for a text as well as for an object is a list of both, which no rule lets pass. */
function valueOf(node: Node): unknown {
  const { texts, isList, members } = node;
  if (members.size > 0) return texts.length > 0 ? [...texts, membersOf(node)] : membersOf(node);
  return isList || texts.length > 1 ? texts : texts[0];
}

function decode(text: string, part: FormPart): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return decodeLoosely(spaced, part);
  }
}

/** As browsers read forms: a percent sign without two hex digits stands for itself. */
function decodeLoosely(text: string, part: FormPart): string {
  try {
    return decodeURIComponent(text.replace(/%(?![0-9a-f]{2})/gi, '%25'));
  } catch {
    throw malformed(part, 'is not valid UTF-8');
  }
}

function malformed(part: FormPart, what: string): ApiError {
  return new ApiError(`malformed_${part}`, { text: `The ${PART_NAMES[part]} ${what}.` });
}
