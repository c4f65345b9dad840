import type { EngagementFilter } from '../../domain/messages/message-hour';
import type { AnswerOf, RowOf } from '../../operations/definition';
import type { MESSAGE } from '../../operations/messages/message';
import type { Html } from '../kit/html';
import { stateTag } from '../kit/components';
import type { Texts } from '../texts/texts';

export type Row = RowOf<typeof MESSAGE.list>;
export type Listed = AnswerOf<typeof MESSAGE.list>;
/** Pages with their total. */
export type Numbered = Extract<Listed, { page: number }>;
/** What a search found: how far back it looked, and where it goes on. */
export type Found = Exclude<Listed, Numbered>;
export type Shown = AnswerOf<typeof MESSAGE.show>;
export type Mail = AnswerOf<typeof MESSAGE.mail>;

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
