import type { FieldGroup } from './field-groups';
import { oneLine } from '../../lib/one-line';
import type { ReadPart } from './report';

/** The complaint types of RFC 5965 section 7.3. */
const COMPLAINTS = new Set(['abuse', 'fraud', 'virus', 'other']);
/** Known types that are not complaints: mail moved out of the spam folder, and authentication reports (RFC 6591). */
const NO_COMPLAINTS = new Set(['not-spam', 'auth-failure', 'dkim']);

/** The complaint of a feedback report (ARF, RFC 5965); its text is the feedback type. */
export function readFeedbackReport(groups: readonly FieldGroup[]): ReadPart {
  const find = (name: string): string | undefined => groups.map((group) => group.get(name)).find(Boolean);
  const type = find('feedback-type')?.toLowerCase() ?? '';
  if (NO_COMPLAINTS.has(type)) return { reports: [], fault: null };
  if (!COMPLAINTS.has(type)) {
    return { reports: [], fault: `a feedback report of an unknown type: ${oneLine(type) || 'none'}` };
  }
  return {
    reports: [
      {
        kind: 'complaint',
        text: type,
        envelopeId: find('original-envelope-id') ?? null,
        class: null,
        hard: false,
        // Many providers take the recipient out; the signed address says whose message it is.
        recipients: [],
      },
    ],
    fault: null,
  };
}
