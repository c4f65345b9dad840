/** What stands behind MAIL FROM: or RCPT TO:, not yet judged. */
export interface AddressCommand {
  /** Between the brackets, as written; empty for `<>`. */
  address: string;
  /** By name in upper case; null: without a value. */
  parameters: ReadonlyMap<string, string | null>;
}

const PARAMETER = /^([A-Za-z0-9][A-Za-z0-9-]*)(?:=([!-<>-~]+))?$/;

/**
 * Parses `FROM:<address> NAME=value ...` (RFC 5321 section 4.1.2); `keyword` in upper case. Null when it is none. What
 * stands in the brackets may be anything, since a recipient that is no address gets an answer of its own.
 */
export function readAddressCommand(keyword: 'FROM' | 'TO', text: string): AddressCommand | null {
  const head = new RegExp(`^${keyword}: *<`, 'i').exec(text)?.[0];
  if (head === undefined) return null;
  const end = endOfPath(text, head.length);
  if (end === -1) return null;
  const parameters = readParameters(text.slice(end + 1));
  return parameters && { address: text.slice(head.length, end), parameters };
}

/** The place of the closing bracket: the first one outside quotes, or the last one when that leaves no parameters. */
function endOfPath(text: string, from: number): number {
  let isQuoted = false;
  for (let i = from; i < text.length; i += 1) {
    const character = text[i];
    if (isQuoted && character === '\\') i += 1;
    else if (character === '"') isQuoted = !isQuoted;
    else if (character === '>' && !isQuoted && isEnd(text, i)) return i;
  }
  const last = text.lastIndexOf('>');
  return last >= from && isEnd(text, last) ? last : -1;
}

const isEnd = (text: string, at: number): boolean => at + 1 === text.length || text[at + 1] === ' ';

/** Null when one is malformed or comes twice. */
function readParameters(text: string): Map<string, string | null> | null {
  const parameters = new Map<string, string | null>();
  for (const part of text.split(' ').filter(Boolean)) {
    const [, name = '', value = null] = PARAMETER.exec(part) ?? [];
    const key = name.toUpperCase();
    if (key === '' || parameters.has(key)) return null;
    parameters.set(key, value);
  }
  return parameters;
}
