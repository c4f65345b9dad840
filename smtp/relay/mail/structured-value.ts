import { decodeText } from './charset';

/** A field such as `text/plain; charset=utf-8`. */
export interface StructuredValue {
  /** In lower case. */
  value: string;
  /** By name in lower case. Of a repeated parameter the first counts. */
  params: ReadonlyMap<string, string>;
}

/** After the last `;`: a name, and a value in quotes or up to the next `;`. */
const PARAM = /;\s*(?:([^\s=;"]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)(?:"[^;]*|$)|([^;]*))|[^;]*)/gsy;
const SECTION = /^(.+?)\*(?:(\d{1,4})(\*)?)?$/;

/**
 * Reads a structured header field (RFC 2045 section 5.1) with comments, quotes, and parameters in sections or percent
 * encoding (RFC 2231). Linear in the length; never throws.
 */
export function readStructured(field: string): StructuredValue {
  const text = withoutComments(field);
  const semicolon = text.indexOf(';');
  const value = (semicolon < 0 ? text : text.slice(0, semicolon)).replace(/["\s]/g, '').toLowerCase();
  const params = new Map<string, string>();
  if (semicolon >= 0) {
    PARAM.lastIndex = semicolon;
    for (let match = PARAM.exec(text); match; match = PARAM.exec(text)) {
      const name = match[1]?.toLowerCase();
      if (name === undefined || params.has(name)) continue;
      params.set(name, match[2]?.replace(/\\(.)/gs, '$1') ?? match[3]!.trim());
    }
  }
  return { value, params: joinSections(params) };
}

/**
 * Removes comments. Within a parameter's value one opens only after white space: `name=Invoice(1).pdf` has none. One
 * that never ends is text.
 */
function withoutComments(field: string): string {
  if (!field.includes('(')) return field;
  let kept = '';
  let from = 0;
  let depth = 0;
  let quoted = false;
  let valued = false;
  for (let at = 0; at < field.length; at++) {
    const character = field[at]!;
    if (character === '\\') at++;
    else if (depth > 0) {
      if (character === '(') depth++;
      else if (character === ')' && --depth === 0) from = at + 1;
    } else if (character === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (character === '(' && (!valued || /\s/.test(field[at - 1]!))) {
      kept += field.slice(from, at);
      from = at;
      depth = 1;
    } else if (character === '=' || character === ';') valued = character === '=';
  }
  return kept + field.slice(from);
}

interface Section {
  number: number;
  encoded: boolean;
  text: string;
}

/** Puts the sections of a value together (RFC 2231 sections 3 and 4). */
function joinSections(params: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  if (![...params.keys()].some((name) => name.includes('*'))) return params;
  const joined = new Map<string, string>();
  const sections = new Map<string, Section[]>();
  for (const [name, text] of params) {
    const match = SECTION.exec(name);
    if (!match) {
      joined.set(name, text);
      continue;
    }
    const parts = sections.get(match[1]!) ?? [];
    parts.push({ number: Number(match[2] ?? 0), encoded: match[2] === undefined || match[3] === '*', text });
    sections.set(match[1]!, parts);
  }
  for (const [name, parts] of sections) joined.set(name, joinValue(parts));
  return joined;
}

function joinValue(parts: Section[]): string {
  parts.sort((a, b) => a.number - b.number);
  const first = parts[0]!;
  const prefix = first.encoded ? /^([^']*)'[^']*'/.exec(first.text) : null;
  if (prefix) first.text = first.text.slice(prefix[0].length);
  const bytes = parts.map(({ encoded, text }) => (encoded ? percentDecode(text) : Buffer.from(text)));
  return decodeText(Buffer.concat(bytes), prefix?.[1] ?? null);
}

function percentDecode(text: string): Buffer {
  const bytes = Buffer.from(text).toString('latin1');
  const decoded = bytes.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(decoded, 'latin1');
}
