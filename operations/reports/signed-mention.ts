import type { Keyring } from '../../domain/keyring';
import { readLinkToken, readVerpLocalPart, type LinkPurpose } from '../../domain/messages/message-tokens';

/** How many marks of a kind are checked in one mail: each costs a signature, and strangers write the mail. */
const MAX_MARKS = 50;

/** A mark of ours in a mail: what it looks like, and the message that it is signed for. */
interface Mark {
  pattern: RegExp;
  read: (keyring: Keyring, found: string) => string | null;
}

const link = (path: string, purpose: LinkPurpose): Mark => ({
  pattern: new RegExp(`/${path}/([A-Za-z0-9_-]{36,38})(?![A-Za-z0-9_-])`, 'g'),
  read: (keyring, token) => readLinkToken(keyring, purpose, token),
});

/**
 * In the order they count: the envelope names one message for certain, a body may quote others. The link of the browser
 * page is none: it is made to be given away.
 */
const MARKS: readonly Mark[] = [
  { pattern: /\b(b-[0-9a-f]{32}-[0-9a-f]{16})@/gi, read: readVerpLocalPart },
  link('u', 'unsubscribe'),
  link('t/o', 'open'),
  link('t/c', 'click'),
];

/** What looks signed in a text, without repeats: a list for each kind of mark, in the order they count. */
export type Marks = readonly (readonly string[])[];

/** The marks in a text; at most 50 of a kind. */
export function findMarks(text: string): Marks {
  // Quoted-printable breaks long lines and writes `=` as `=3D`.
  const whole = text.replace(/=\r?\n/g, '');
  return MARKS.map(({ pattern }) => {
    const found = new Set<string>();
    for (const [, mark = ''] of whole.matchAll(pattern)) {
      found.add(mark);
      if (found.size === MAX_MARKS) break;
    }
    return [...found];
  });
}

/**
 * The one message that a text is signed for, by its bounce address or by a link of its mail; null when there is none,
 * or when there are several of the strongest kind. An id without a signature, such as that in a Message-ID, proves
 * nothing (docs/decisions/0057-complaints-count-by-signature.md).
 */
export function signedBy(keyring: Keyring, marks: Marks): string | null {
  for (const [n, { read }] of MARKS.entries()) {
    const [only, ...others] = new Set((marks[n] ?? []).flatMap((mark) => read(keyring, mark) ?? []));
    if (only !== undefined) return others.length === 0 ? only : null;
  }
  return null;
}

/** The same for a text. */
export const signedMention = (keyring: Keyring, text: string): string | null => signedBy(keyring, findMarks(text));
