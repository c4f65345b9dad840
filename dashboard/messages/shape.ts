import type { ReturnedFacts } from '../../domain/messages/message';
import type { EngagementFilter } from '../../domain/messages/message-hour';
import type { SnakeCase } from '../../lib/snake-case';
import type { Html } from '../kit/html';
import { stateTag } from '../kit/parts';
import type { Texts } from '../texts/texts';

/** A message of `message.list`. */
export interface Row {
  message_id: string;
  to: string | null;
  subject: string;
  channel: string;
  status: string;
  failed_reason: string | null;
  created_at: string;
  dispatched_at: string | null;
}

/** What `message.list` answers: pages with their total. */
export interface Numbered {
  data: readonly Row[];
  limit: number;
  total: number;
  total_is_exact: boolean;
  page: number;
  looked_back_to?: undefined;
}

/** The same of a search: how far back it looked, and where it goes on. */
export interface Found {
  data: readonly Row[];
  limit: number;
  next_after: string | null;
  looked_back_to: string | null;
}
export type Listed = Numbered | Found;

/** What `message.show` answers. */
export interface Shown extends Row, Record<SnakeCase<keyof ReturnedFacts>, unknown> {
  from_email: string;
  from_name: string;
  reply_to: string | null;
  domain: string | null;
  category: string;
  campaign_id: number | null;
  journey_id: number | null;
  step: number | null;
  attachment_count: number | null;
  attachments_left_out: number;
  send_at: string | null;
  complained_at: string | null;
  waits_for: { for: string; until: string | null } | null;
  history: readonly { status: string; at: string }[];
  attempts: readonly {
    n: number;
    claimed_at: string;
    finished_at: string | null;
    outcome: string | null;
    reply: string | null;
  }[];
  coins: readonly { id: string; kind: string; coins: number; at: string }[];
  signals: readonly { kind: string; at: string; url: string | null; machine: string | null }[];
  webhooks: readonly {
    webhook_id: number;
    id: string;
    event: string;
    state: string;
    created_at: string;
    attempts: readonly { at: string; status: number | null; error: string | null; answer: string | null }[];
  }[];
}

/** What `message.mail` answers. */
export interface Mail {
  subject: string;
  source: string;
  html: string | null;
  text: string | null;
  attachments: readonly { filename: string; type: string; size: number }[];
}

/** What recipients did, to look for. */
export const ENGAGEMENT_TEXTS: Readonly<Record<EngagementFilter, keyof Texts>> = {
  opened: 'overviewOpened',
  clicked: 'overviewClicked',
  'opened-by-machines': 'overviewOpenedByMachines',
  'clicked-by-machines': 'messagesClickedByMachines',
  complained: 'overviewComplained',
};

/** A status in words and colour. */
export const statusTag = (t: Texts, status: string): Html => {
  const tone = status === 'delivered' ? 'good' : status === 'bounced' || status === 'failed' ? 'bad' : 'warn';
  return stateTag(t, status, tone);
};
