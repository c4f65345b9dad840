import type { BounceClass } from './bounce-class';
import { BESIDE_ADDRESS, BESIDE_DOMAIN, HARMLESS } from './other-subjects';
import type { RefusalText } from './refusal-text';

/** Codes of RFC 3463 that say nothing by themselves: "other or undefined status". */
const NEUTRAL: ReadonlySet<string> = new Set(['5.0.0', '5.2.0', '5.3.0', '5.4.0', '5.5.0', '5.0.350']);
/** Of the address codes, those that speak of the sender. */
const OF_SENDER: ReadonlySet<string> = new Set(['5.1.7', '5.1.8']);
/** Replies to RCPT that refuse a mailbox (RFC 5321 section 4.2.3); 554 is the one for everything else. */
const OF_RECIPIENT: ReadonlySet<string> = new Set(['550', '551', '553', '554']);

/**
 * True when the codes of a refusal allow a hard bounce (docs/bounces.md#hard-or-not): each enhanced code that says
 * something is one of the recipient; without one, the reply code is. `own` are further codes that a rule is for.
 */
export function allowsHard({ enhanced, replies }: RefusalText, own: readonly string[]): boolean {
  const telling = enhanced.filter((code) => !NEUTRAL.has(code) && !code.startsWith('2'));
  if (telling.length > 0) return telling.every((code) => isOfRecipient(code) || own.includes(code));
  const reply = replies[0];
  return reply === undefined || OF_RECIPIENT.has(reply) || own.includes(reply);
}

const isOfRecipient = (code: string): boolean => code === '5.2.1' || (code.startsWith('5.1.') && !OF_SENDER.has(code));

/** True when a refusal has words about something else than the recipient, or its domain, outside of links. */
export function speaksOfOthers(bounceClass: BounceClass, { words }: RefusalText): boolean {
  const said = HARMLESS.reduce((text, phrase) => text.replaceAll(phrase, ''), words);
  return (bounceClass === 'domain_unknown' ? BESIDE_DOMAIN : BESIDE_ADDRESS).some((word) => said.includes(word));
}

/** What is said in words beside a code: more than this may be about anything. */
const FEW_WORDS = 3;
/** What relays and programs put around a reply: host names, and where in the session it came. */
const AROUND =
  /\(?in reply to [^)]*\)?|\bhost \S+ said:|\bsmtp;|\bremote (?:server|host) (?:said|returned)\b|\b[\w-]+(?:\.[\w-]+)+\b/g;
const WORD = /\p{L}{2,}/gu;

/** True when a refusal has hardly a word besides its codes and addresses. */
export const saysLittle = ({ words }: RefusalText): boolean =>
  (words.replace(AROUND, ' ').match(WORD)?.length ?? 0) <= FEW_WORDS;
