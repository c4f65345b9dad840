import type { Difference } from './difference';

/** A body or an attachment that belongs to no message, or a due task of webhooks that belongs to no delivery. */
export interface Stray {
  what: 'body' | 'attachment' | 'due task';
  /** The number or the id of the missing message, or of the missing delivery. */
  of: number | string;
}

/** The next position of a consumer group, and the newest record of its log; both count from the same start. */
export interface GroupPosition {
  group: string;
  /** Set when the group reads several topics. */
  topic?: string;
  /** Set when the log has several partitions. */
  partition?: number;
  next: number;
  newest: number;
}

export const checkStray = ({ what, of }: Stray): Difference => ({
  rule: what === 'due task' ? 'webhook-task' : 'content-message',
  subject: `${what} ${of}`,
  expected: what === 'due task' ? 'a waiting delivery' : 'a message',
  found: 'none',
});

/** A group positioned past the end of its log would skip the next records. */
export function checkPosition({ group, topic, partition, next, newest }: GroupPosition): readonly Difference[] {
  if (next <= newest + 1) return [];
  const place = [topic === undefined ? '' : ` ${topic}`, partition === undefined ? '' : ` partition ${partition}`];
  const subject = `group ${group}${place.join('')}`;
  return [{ rule: 'position', subject, expected: `at most ${newest + 1}`, found: `${next}` }];
}
