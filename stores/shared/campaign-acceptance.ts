import type { Acceptance } from '../ports/message-store';

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
