import type { Fed } from '../ports/campaign-runs';
import type { Acceptance } from '../ports/message-store';

/** What a step answers that found no row to feed. */
export const NOTHING_FED: Fed = { rows: 0, accepted: 0 };

/** The acceptance of a campaign's mail to one of its recipients. Its content is that of the campaign. */
export const campaignAcceptance = (facts: Acceptance['facts'], contactId: number): Acceptance => ({
  facts,
  recipient: { contact: contactId },
  body: null,
  attachments: [],
  attachmentsUntil: null,
  idempotencyKey: null,
  records: [],
});
