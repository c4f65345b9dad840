import { DAY, HOUR } from '../lib/clock';

/** One line of the table of DESIGN section 4. */
export interface TopicSpec {
  /** What the key of a record is; records of one key stay in order. */
  key: 'workspace' | 'message' | 'campaign' | 'contact';
  partitions: number;
  /** ms a record is kept at the least after it was written. */
  retention: number;
}

const command = { partitions: 8, retention: HOUR };
const history = { partitions: 8, retention: 7 * DAY };

/** Every topic there is; the admin command and the drivers take it from here. */
export const TOPICS = {
  'messages.accepted': { key: 'workspace', ...command },
  'messages.dispatch': { key: 'message', ...command },
  'mta.feedback': { key: 'message', ...history },
  'message.events': { key: 'message', ...history },
  'coins.entries': { key: 'workspace', ...history },
  'engagement.hits': { key: 'message', ...history },
  conversions: { key: 'workspace', ...history },
  'campaigns.sends': { key: 'campaign', ...history },
  'journeys.enrollments': { key: 'contact', ...history },
} as const satisfies Record<string, TopicSpec>;

export type TopicName = keyof typeof TOPICS;
export const TOPIC_NAMES = Object.keys(TOPICS) as TopicName[];

/** Consumer groups and the topic each reads. */
export const GROUPS = {
  throttle: 'messages.accepted',
  dispatch: 'messages.dispatch',
  'mta-feedback': 'mta.feedback',
  coins: 'coins.entries',
  engagement: 'engagement.hits',
} as const satisfies Record<string, TopicName>;
export type GroupName = keyof typeof GROUPS;
