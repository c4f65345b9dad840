import type { BounceRules } from '../../domain/bounces/bounce-rules';
import { oneLine } from '../../lib/one-line';
import type { Report } from '../../operations/reports/report';

/** One record of a sending server's log. */
export type MtaRecord = Readonly<Record<string, unknown>>;

/** What a record says, and about which mail. */
export interface MtaEvent {
  /** The envelope sender of the mail, or texts that mention it by a signed mark of ours. */
  of: { sender: string } | { text: string };
  report: Report;
  /** False when the server only passes on what a stranger wrote to it. */
  trusted: boolean;
}

/** What the server did with a mail. */
export type Outcome = 'delivered' | 'delayed' | 'refused' | 'expired';

/** A report of an outcome. `text` is the code and words of the receiving server; a refusal is classified by it. */
export function reportOf(outcome: Outcome, text: string, recipients: readonly string[], rules: BounceRules): Report {
  const line = oneLine(text);
  const plain = { text: line, envelopeId: null, recipients: recipients.map((address) => address.toLowerCase()) };
  if (outcome === 'delivered' || outcome === 'delayed') return { ...plain, kind: outcome, class: null, hard: false };
  // What a server tried again for days was refused for now, whatever its last words.
  if (outcome === 'expired') return { ...plain, kind: 'expired', class: 'expired', hard: false };
  const { class: found, hard } = rules.classify(line);
  return { ...plain, kind: /^4\d\d\b|^4\.\d/.test(line) ? 'expired' : 'bounced', class: found, hard };
}

/** A text of a record; empty when it has another type. Numbers count as text. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '';
}

/** The texts of a field that holds one or several. */
export const textsOf = (value: unknown): string[] =>
  (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);

/** The object in a field; empty when there is none. */
export const objectOf = (value: unknown): MtaRecord => (isObject(value) ? value : {});

export const isObject = (value: unknown): value is MtaRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
