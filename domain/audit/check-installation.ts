import type { Difference } from './difference';

/** A body or an attachment that belongs to no message. */
export interface Stray {
  what: 'body' | 'attachment';
  /** The number or the id of the message that is not there. */
  of: number | string;
}

/** Where a consumer group goes on, and the newest record of its log; both count from the same beginning. */
export interface GroupPosition {
  group: string;
  /** Where it reads several. */
  topic?: string;
  /** Where its log has several. */
  partition?: number;
  next: number;
  newest: number;
}

export const checkStray = ({ what, of }: Stray): Difference => ({
  rule: 'content-message',
  subject: `${what} ${of}`,
  expected: 'a message',
  found: 'none',
});

/** A group that stands beyond the end of its log would pass over what is written next. */
export function checkPosition({ group, topic, partition, next, newest }: GroupPosition): readonly Difference[] {
  if (next <= newest + 1) return [];
  const place = [topic === undefined ? '' : ` ${topic}`, partition === undefined ? '' : ` partition ${partition}`];
  const subject = `group ${group}${place.join('')}`;
  return [{ rule: 'position', subject, expected: `at most ${newest + 1}`, found: `${next}` }];
}
