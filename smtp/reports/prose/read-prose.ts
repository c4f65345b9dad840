import type { Classified } from '../../../domain/bounces/bounce-rule';
import { hasPhrase, readPhrase } from '../../../domain/bounces/phrase';
import { readRefusal } from '../../../domain/bounces/refusal-text';
import type { FeedbackKind } from '../../../domain/messages/feedback';
import { oneLine } from '../../../lib/one-line';
import type { Rules } from '../remembered-rules';
import type { Report } from '../../../operations/reports/report';
import type { MailView } from './mail-view';
import { classifyProse } from './classify-prose';
import { refusalBlocks, withoutReturned, type RefusalBlock } from './refusal-blocks';
import { ANSWERS, CHALLENGES } from './answer-wordings';
import { DAEMONS, DELAYS, FAILURES, FINAL } from './wordings';

/** What a mail without a report part is. */
export type Prose =
  | { kind: 'reports'; reports: Report[] }
  /** An automatic answer, a challenge or a receipt: it changes nothing. */
  | { kind: 'answer' }
  | { kind: 'unknown' };

const [answers, challenges, daemons, delays, failures, final] = [
  ANSWERS,
  CHALLENGES,
  DAEMONS,
  DELAYS,
  FAILURES,
  FINAL,
].map((words) => words.map(readPhrase)) as [string[][], string[][], string[][], string[][], string[][], string[][]];
const saysAny = (text: string, phrases: readonly string[][]): boolean => phrases.some((one) => hasPhrase(text, one));

/** True when a program that delivers mail wrote it, by its name. */
export const isFromServer = ({ from, headers }: MailView): boolean =>
  saysAny(from, daemons) || headers.has('x-failed-recipients');

/** What is known of a mail beside its words. */
export interface ProseFacts {
  /** It returns a mail of ours, or names one. */
  hasOurs: boolean;
  /** From the null sender. */
  fromNull: boolean;
}

/**
 * Reads a mail without a report part by its wording. One from a person changes nothing, whatever it says: a report has
 * the null sender or `Auto-Submitted` (RFC 5321 section 4.5.5, RFC 3834).
 */
export function readProse(mail: MailView, rules: Rules, { hasOurs, fromNull }: ProseFacts): Prose {
  const said = withoutReturned(mail.text);
  const lower = said.toLowerCase().replace(/\s+/g, ' ');
  if (saysAny(mail.subject, answers) || saysAny(mail.subject, challenges)) return { kind: 'answer' };
  const isFailure = saysAny(mail.subject, failures) || saysAny(lower, failures);
  const other = otherThanReport(mail, lower, { isFailure, hasOurs });
  if (other) return { kind: other };
  if (!fromNull && !isAutoSubmitted(mail)) return { kind: 'unknown' };
  if (isDelay(mail.subject, lower)) return { kind: 'reports', reports: [delayReport(said)] };
  const reports = refusalBlocks(said).map((block) => readBlock(block, said, rules));
  const isUnderstood = isFailure || hasOurs || reports.some((report) => report.class !== 'unknown');
  return isUnderstood ? { kind: 'reports', reports } : { kind: 'unknown' };
}

/** What a mail is that no server wrote and that speaks of no failure; null for what may be a report. */
function otherThanReport(
  mail: MailView,
  lower: string,
  { isFailure, hasOurs }: { isFailure: boolean; hasOurs: boolean },
): 'answer' | 'unknown' | null {
  if (isFromServer(mail)) return null;
  if (isAutomatic(mail) || (!isFailure && saysAny(lower, challenges))) return 'answer';
  // A person who answers may quote such words.
  return !hasOurs && (!isFailure || mail.headers.has('in-reply-to')) ? 'unknown' : null;
}

/** `Auto-Submitted` of any kind but `no` (RFC 3834 section 5). */
export const isAutoSubmitted = ({ headers }: MailView): boolean => /^\s*auto/.test(headers.get('auto-submitted') ?? '');

function isAutomatic(mail: MailView): boolean {
  const { headers } = mail;
  const precedence = headers.get('precedence') ?? '';
  return (
    isAutoSubmitted(mail) ||
    /^auto.?reply/.test(precedence) ||
    ['x-autoreply', 'x-autorespond', 'x-autoresponse', 'x-auto-response-suppress', 'x-vacation'].some((name) =>
      headers.has(name),
    )
  );
}

function isDelay(subject: string, text: string): boolean {
  if (saysAny(subject, delays)) return true;
  return saysAny(text, delays) && !saysAny(text, final) && !saysAny(subject, final);
}

const delayReport = (text: string): Report => ({
  kind: 'delayed',
  text: reasonOf(text),
  envelopeId: null,
  class: null,
  hard: false,
  recipients: [],
});

function readBlock({ recipients, text }: RefusalBlock, whole: string, rules: Rules): Report {
  const own = classifyProse(rules, text);
  const found = own.class === 'unknown' ? classifyProse(rules, whole) : own;
  return {
    kind: kindOf(found, readRefusal(text).severity),
    text: reasonOf(text),
    envelopeId: null,
    class: found.class,
    hard: found.hard,
    recipients,
  };
}

/** What the sending server did in the end: it was refused, or it gave up. */
function kindOf({ class: found, hard }: Classified, severity: '4' | '5' | null): FeedbackKind {
  if (hard) return 'bounced';
  if (severity !== null) return severity === '4' ? 'expired' : 'bounced';
  return found === 'expired' || found === 'temporary_trouble' || found === 'rate_limited' ? 'expired' : 'bounced';
}

const ANY_CODE = /(?:^|[\s#(<:])[45](?:[0-5]\d[\s-]|\.\d{1,3}\.\d{1,3})/;
/** A whole reply: a page of tips may name its code before. */
const REPLY = /(?:^|[\s#(<:'"])[45][0-5]\d[ -]#?[45]\.\d{1,3}\.\d{1,3}\s+\S/;

/** From the first line with a reply, or with a code, or else from the beginning. */
function reasonOf(text: string): string {
  const lines = text.split('\n');
  const reply = lines.findIndex((line) => REPLY.test(line));
  const first = reply < 0 ? lines.findIndex((line) => ANY_CODE.test(line)) : reply;
  return oneLine(lines.slice(Math.max(0, first), first < 0 ? undefined : first + 6).join(' '));
}
