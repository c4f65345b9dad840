import { builtInRules } from '../../domain/bounces/bounce-rules';
import type { OWN_REASONS } from '../../domain/contacts/suppression';
import { plainName } from './status-columns';

export type OwnReason = (typeof OWN_REASONS)[number];

/** The words of other services for the reasons of a list, as `plainName` writes them. */
const WORDS: Readonly<Record<OwnReason, readonly string[]>> = {
  hard_bounce: [
    ...['hardbounce', 'hardbounces', 'hardbounced', 'bounce', 'bounced', 'bounces', 'permanent', 'permanentfail'],
    ...['invalid', 'invalidemail', 'invalidemails', 'invalidaddress', 'bademailaddress', 'bouncerule', 'cleaned'],
    ...['undeliverable', 'unknownuser', 'blockedrecipient'],
  ],
  complaint: [
    ...['complaint', 'complaints', 'complained', 'spam', 'spamcomplaint', 'spamcomplaints', 'spamreport', 'abuse'],
    ...['spamreports', 'spamnotification', 'junk', 'contactflaggedasspam', 'feedbackloop', 'fbl', 'markedasspam'],
  ],
  manual: [
    ...['manual', 'manualsuppression', 'manuallyadded', 'unsubscribe', 'unsubscribed', 'unsubscribes', 'unsub'],
    ...['listunsubscribe', 'unsubscribelink', 'unsubscribedviaemail', 'unsubscribedviama', 'unsubscribedviaapi'],
    ...['optout', 'optedout', 'custom', 'customer', 'adminblocked', 'compliance', 'suppressed', 'blocklisted'],
    ...['blacklisted', 'blocked', 'donotcontact', 'groupunsubscribe', 'globalunsubscribe', 'berhenti'],
  ],
};
const REASONS: ReadonlyMap<string, OwnReason> = new Map(
  (Object.keys(WORDS) as OwnReason[]).flatMap((reason) => WORDS[reason].map((word) => [word, reason] as const)),
);

/** A bounce that says nothing of the next mail. */
const TEMPORARY = new Set(['softbounce', 'softbounces', 'softbounced', 'soft', 'transient', 'temporary', 'deferred']);

/** The reason that a word stands for; `temporary`: one that blocks nothing. Undefined for any other text. */
export const reasonOf = (word: string): OwnReason | 'temporary' | undefined => {
  const plain = plainName(word);
  return TEMPORARY.has(plain) ? 'temporary' : REASONS.get(plain);
};

/** True when the words or codes of a server say that the address is dead (docs/bounces.md#rules). */
export const saysDead = (refusal: string): boolean => refusal.trim() !== '' && builtInRules.classify(refusal).hard;

/** SendGrid names its files by the list, and the rows do not tell it. */
const FILES: readonly (readonly [RegExp, OwnReason])[] = [
  [/suppression_(bounces|invalid_emails)/i, 'hard_bounce'],
  [/suppression_spam_reports/i, 'complaint'],
  [/suppression_(unsubscribes|group_unsubscribes)|asm_groups?_\d+_suppressions/i, 'manual'],
];

/** The reason of a list by the name of its file; undefined when that says nothing. */
export const reasonOfFile = (name: string): OwnReason | undefined => FILES.find(([pattern]) => pattern.test(name))?.[1];
