import { decodeHTML } from 'entities';

const LABELS: ReadonlySet<string> = new Set(['unsubscribe', 'berhenti langganan', 'berhenti berlangganan']);

/** A longer text, as written in the html, is no label. */
export const LONGEST_LABEL = 200;

/**
 * True when the text of a link, without its elements, says that it is an unsubscribe link (docs/contract.md#footer).
 */
export function isUnsubscribeLabel(html: string): boolean {
  if (html.length > LONGEST_LABEL) return false;
  return LABELS.has(decodeHTML(html).replace(/\s+/g, ' ').trim().toLowerCase());
}
