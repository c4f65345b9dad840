import type { BookedRow, MessageRecord } from '../../../domain/audit/message-record';
import { ledgerId } from '../../../domain/ledger/coins';
import { DAY, SECOND } from '../../../lib/clock';
import type { Attempt, MessageStatus } from '../../../domain/messages/message';
import { aMessage } from '../../support/message';
import { TEST_START } from '../../support/clock';

export const ID = aMessage().id;

/** A history from `queued` at TEST_START on, a second for each move. */
export const moves = (...statuses: MessageStatus[]): MessageRecord['history'] =>
  ['queued' as const, ...statuses].map((status, n) => ({ status, at: TEST_START + n * SECOND }));

export function anAttempt(n: number, change: Partial<Attempt> = {}): Attempt {
  const open = { fencedAt: null, finishedAt: null, outcome: null, reply: null };
  return { messageId: ID, workspaceId: 1, n, claimedAt: TEST_START + SECOND, ...open, ...change };
}

export const aRow = (id: string, amount: number, at: number, change: Partial<BookedRow> = {}): BookedRow => ({
  id,
  workspaceId: 1,
  kind: id.slice(0, id.indexOf(':')) as BookedRow['kind'],
  amount,
  messageId: ID,
  at,
  ...change,
});

/** A message that was handed over in its first attempt and delivered, with everything as it should be. */
export function delivered(
  change: Partial<MessageRecord> = {},
  message: Partial<MessageRecord['message']> = {},
): MessageRecord {
  const at = TEST_START + SECOND;
  return {
    message: {
      ...aMessage({ status: 'delivered', attempt: 1, firstClaimedAt: at, fence: 'token', fencedAt: at, dueAt: null }),
      dispatchedAt: TEST_START + 2 * SECOND,
      ...message,
    },
    history: moves('sending', 'sent_to_mta', 'delivered'),
    attempts: [anAttempt(1, { fencedAt: at, finishedAt: at + SECOND, outcome: 'sent', reply: '250 ok' })],
    coins: [aRow(ledgerId.debit(ID, 1), -1, at)],
    hasBody: true,
    metadataReadable: true,
    attachments: 0,
    domainWorkspaceId: 1,
    contactWorkspaceId: 1,
    contactStatus: 'subscribed',
    hasRecipient: true,
    ...change,
  };
}

/** The same mail, waiting for its report. */
export const sentToMta = (message: Partial<MessageRecord['message']> = {}): MessageRecord =>
  delivered(
    { history: moves('sending', 'sent_to_mta') },
    { status: 'sent_to_mta', dueAt: TEST_START + 4 * DAY, ...message },
  );

/** Accepted, and not yet claimed. */
export const waiting = (
  message: Partial<MessageRecord['message']> = {},
  change: Partial<MessageRecord> = {},
): MessageRecord => delivered({ history: moves(), attempts: [], coins: [], ...change }, { ...aMessage(), ...message });
