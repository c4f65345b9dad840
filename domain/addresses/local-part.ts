const ATOM = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~\\u0080-\\u{10ffff}-]+";
const DOT_ATOM = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u');
/** RFC 5321 section 4.1.2 and RFC 6531 section 3.3: no control characters, no invisible ones, and not empty. */
const QUOTED = /^"(?:[ !#-[\]-~]|[^\u0000-\u007f\p{C}\p{Z}]|\\[ -~])+"$/u;

/** True for a local part that needs no quotes. */
export function isDotAtom(local: string): boolean {
  return DOT_ATOM.test(local);
}

/** True for a local part in quotes, as it may stand in a mail command (RFC 5321 section 4.1.2). */
export function isQuotedLocal(local: string): boolean {
  return QUOTED.test(local);
}

/** What a local part in quotes stands for; another one unchanged. */
export function unquoteLocal(local: string): string {
  return /^".*"$/s.test(local) ? local.slice(1, -1).replace(/\\(.)/gsu, '$1') : local;
}

/**
 * The same local part with as few quotes and backslashes as possible: `"a\bc"` is `abc` (RFC 5321 section 4.1.2). Text
 * that could not stand alone is quoted.
 */
export function leastQuoted(local: string): string {
  const text = unquoteLocal(local);
  return isDotAtom(text) ? text : `"${text.replace(/["\\]/g, '\\$&')}"`;
}
