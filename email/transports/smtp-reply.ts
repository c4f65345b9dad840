/** A refusal by the sending server, as its reply states it. */
export interface Refusal {
  permanent: boolean;
  reply: string;
}

/**
 * 5xx replies about the session (sequence, authentication, encryption), not about the mail: another session may work.
 */
const SESSION_CODES: ReadonlySet<string> = new Set(['503', '530', '534', '535', '538']);
const LONGEST = 500;

/** A reply on one line: continuation lines joined, control characters removed, at most 500 characters. */
export function replyText(reply: string): string {
  const lines = reply
    .split(/\r?\n/)
    .map((line, i) => (i === 0 ? line.replace(/^(\d{3})-/, '$1 ') : line.replace(/^\d{3}[ -]?/, '')));
  return oneLine(lines.join(' '));
}

/** Text on one line, at most 500 characters. */
export function oneLine(text: string): string {
  if (text.length <= LONGEST && /^[!-~]+(?: [!-~]+)*$/.test(text)) return text;
  return text
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, LONGEST);
}

/** The refusal in a 4xx or 5xx reply to MAIL, RCPT, DATA or the final dot; null for anything else. */
export function refusalOf(reply: string): Refusal | null {
  const code = /^[45]\d\d(?=[ -]|$)/.exec(reply)?.[0];
  if (!code) return null;
  return { permanent: code.startsWith('5') && !SESSION_CODES.has(code), reply: replyText(reply) };
}
