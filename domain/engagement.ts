export const ENGAGEMENT_ORDERS = ['opens', 'clicks'] as const;
/** What ranks contacts: opens = emails opened, then clicked, then total clicks; clicks = emails clicked, total clicks, then opened. */
export type EngagementOrder = (typeof ENGAGEMENT_ORDERS)[number];

/** What a contact did in a period (spec section 2, Contact engagement row). */
export interface Engagement {
  contactId: number;
  /** Emails handed to the sending server in the period. */
  received: number;
  /** Emails with an open in the period; a click is an open too. */
  opened: number;
  /** Emails with a click in the period. */
  clicked: number;
  totalClicks: number;
  /** The last open or click, ms. */
  lastActivityAt: number;
}
