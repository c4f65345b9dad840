import { HOUR, DAY } from '../../lib/clock';
import type { Message } from '../messages/message';
import { wibDay } from '../wib';
import { isHardClass } from './bounce-class';

/** A refused message to a contact. */
export interface PastRefusal {
  messageId: string;
  /** When it was refused, ms. */
  at: number;
  status: Message['status'];
  isHard: boolean;
}

/** How long a mailbox must have been full, ms, and how often, to count as one that will never be emptied. */
const FULL_FOR = 14 * DAY;
const FULL_TIMES = 3;

/**
 * Whether a full mailbox counts as a hard bounce (docs/contract.md#classes-of-bounces). `full`: when it was full since
 * the last delivery, by time. The message's own refusal must be the last of at least three that count.
 */
export function isFullForGood(message: Message, full: readonly Pick<PastRefusal, 'at'>[]): boolean {
  const { refusedClass, refusedAt, hardBouncedAt, status } = message;
  const isOpen = status === 'bounced' || message.reopenable === 'expired';
  if (refusedClass !== 'mailbox_full' || refusedAt === null || hardBouncedAt !== null || !isOpen) return false;
  const upToThis = full.filter(({ at }) => at <= refusedAt);
  return upToThis.length >= FULL_TIMES && refusedAt - (upToThis[0]?.at ?? refusedAt) >= FULL_FOR;
}

/** So that one fault of a server at midnight is not on two days. */
const APART = 12 * HOUR;

/** True when a message was refused for a class of hard bounces, but by a text that leaves doubt. */
export const isDoubtful = ({ refusedClass, hardBouncedAt, status }: Message): boolean =>
  refusedClass !== null && isHardClass(refusedClass) && hardBouncedAt === null && status === 'bounced';

/**
 * The refusal by which doubt about an address ends: the first on another WIB day than the first doubtful one, and
 * twelve hours later at least (docs/contract.md#classes-of-bounces). Null while there is none. `refusals` may be in any
 * order.
 */
export function endOfDoubt(refusals: readonly PastRefusal[]): PastRefusal | null {
  const doubtful = refusals
    .filter(({ status, isHard }) => status === 'bounced' && !isHard)
    .sort((a, b) => a.at - b.at || (a.messageId < b.messageId ? -1 : 1));
  const [first] = doubtful;
  if (!first) return null;
  return doubtful.find(({ at }) => at - first.at >= APART && wibDay(at) !== wibDay(first.at)) ?? null;
}
