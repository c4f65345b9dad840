import type { BounceRules } from '../../domain/bounces/bounce-rules';
import { readFeedbackReport } from '../../operations/reports/feedback-report';
import { objectOf, reportOf, textOf, textsOf, type MtaEvent, type MtaRecord, type Outcome } from './mta-event';

/** The types of a KumoMTA log record that say how a mail fared. Of the others nothing follows. */
const OUTCOMES: ReadonlyMap<string, Outcome> = new Map([
  ['Delivery', 'delivered'],
  ['TransientFailure', 'delayed'],
  ['Delay', 'delayed'],
  ['Bounce', 'refused'],
  ['OOB', 'refused'],
  ['Expiration', 'expired'],
  // An operator took it out of the queue: the recipient's server refused nothing.
  ['AdminBounce', 'expired'],
]);

const OTHERS = new Set(['Reception', 'Rejection', 'Feedback']);

/** True for a log record of KumoMTA, of whatever type. */
export const isKumoRecord = ({ type, sender }: MtaRecord): boolean =>
  typeof type === 'string' && (OUTCOMES.has(type) || OTHERS.has(type)) && typeof sender === 'string';

/** Reads a log record of KumoMTA (docs/mta-events.md#kumomta); null when nothing follows from it. */
export function readKumoRecord(record: MtaRecord, rules: BounceRules): MtaEvent | null {
  const type = textOf(record['type']);
  if (type === 'Feedback') return readComplaint(objectOf(record['feedback_report']));
  const outcome = OUTCOMES.get(type);
  if (!outcome) return null;
  return {
    of: { sender: textOf(record['sender']) },
    report: reportOf(outcome, responseText(objectOf(record['response'])), textsOf(record['recipient']), rules),
    // An out-of-band bounce was mailed to the server by whoever had the address.
    trusted: type !== 'OOB',
  };
}

/** `550 5.1.1 no such user`, as the server said it. */
function responseText({ code, enhanced_code: enhanced, content }: MtaRecord): string {
  const { class: first, subject, detail } = objectOf(enhanced);
  const status = [first, subject, detail].map(textOf);
  return [textOf(code), status.every(Boolean) ? status.join('.') : '', textOf(content)].filter(Boolean).join(' ');
}

/** A complaint that a provider mailed to the server; anyone could, so it counts by a signed mark in it. */
function readComplaint(report: MtaRecord): MtaEvent | null {
  const type = new Map([['feedback-type', textOf(report['feedback_type'])]]);
  const [complaint] = readFeedbackReport([type]).reports;
  if (!complaint) return null;
  const text = [...textsOf(report['original_mail_from']), textOf(report['original_message'])].join('\n');
  return { of: { text }, report: complaint, trusted: false };
}
