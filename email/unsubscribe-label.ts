import { decodeHTML } from 'entities';

const LABELS: ReadonlySet<string> = new Set(['unsubscribe', 'berhenti langganan', 'berhenti berlangganan']);

/** A text longer than this, as it stands in the html, labels nothing. */
export const LONGEST_LABEL = 200;

/**
 * True when the text of a link, its elements left out, says that it is one to unsubscribe (docs/contract.md#footer).
 */
export function isUnsubscribeLabel(html: string): boolean {
  if (html.length > LONGEST_LABEL) return false;
  return LABELS.has(decodeHTML(html).replace(/\s+/g, ' ').trim().toLowerCase());
}
