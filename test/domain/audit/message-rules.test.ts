import { describe, expect, it } from '@jest/globals';
import { readConfig } from '../../../operations/config/config';
import { checkAttempts } from '../../../domain/audit/check-attempts';
import { checkAttachments } from '../../../domain/audit/check-content';
import { HOLD } from '../../../domain/campaigns/campaign-run';
import type { MessageRecord } from '../../../domain/audit/message-record';
import { checkDeadline, findOverdue, LONGEST_EVIDENCE_WAIT, OVERDUE_GRACE } from '../../../domain/audit/check-deadline';
import { checkDispatched, checkFence } from '../../../domain/audit/check-hand-off';
import { checkHistory } from '../../../domain/audit/check-history';
import { checkMessage } from '../../../domain/audit/check-message';
import { checkOwner } from '../../../domain/audit/check-owner';
import { checkReason } from '../../../domain/audit/check-reason';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { TRANSITIONS } from '../../../domain/messages/lifecycle';
import { MESSAGE_STATUSES } from '../../../domain/messages/message';
import { HAND_OFF_LEASE } from '../../../domain/messages/retry-schedule';
import { texts } from '../../../domain/texts';
import { TEST_START } from '../../support/clock';
import { anAttempt, delivered, ID, moves, sentToMta, waiting } from './records';

const refused = (n: number, change: object = {}) =>
  anAttempt(n, { finishedAt: TEST_START + 2 * SECOND, outcome: 'refused_temporarily', ...change });

describe('the rules about one message', () => {
  it('find nothing in one that waits, is at the sending server, or was delivered', () => {
    for (const record of [waiting(), sentToMta(), delivered()]) expect(checkMessage(record)).toEqual([]);
  });
});

describe('the category', () => {
  const found = (change: object) => checkMessage(waiting(change)).map(({ rule, expected }) => [rule, expected]);

  // spec: docs/contract.md#transactional-mail: campaigns and journeys are marketing
  it('is transactional or none, and none for campaigns and journeys', () => {
    expect(found({ category: 'transactional' })).toEqual([]);
    expect(found({ category: 'loud' })).toEqual([['value', 'category transactional']]);
    for (const lane of ['campaign', 'journey']) {
      expect(found({ lane })).toEqual([]);
      expect(found({ lane, category: 'transactional' })).toEqual([['value', 'category none']]);
    }
  });
});

describe('history', () => {
  it('may make every move of the transition table, and no other', () => {
    for (const from of MESSAGE_STATUSES) {
      for (const to of MESSAGE_STATUSES) {
        const before = {
          queued: [],
          sending: [],
          sent_to_mta: ['sending'],
          delivered: ['sending'],
          bounced: ['sending'],
          failed: [],
        };
        const path = from === 'queued' ? [] : [...(before[from] as 'sending'[]), from];
        const record = waiting({ status: to }, { history: moves(...path, to) });
        const found = checkHistory(record).map(({ rule }) => rule);
        expect(found).toEqual(TRANSITIONS[from].includes(to) ? [] : ['history']);
      }
    }
  });

  it('begins queued, when the message was accepted', () => {
    const early = waiting({ createdAt: TEST_START - 1 });
    expect(checkHistory(early)).toEqual([
      {
        rule: 'history',
        subject: ID,
        expected: 'queued at 2026-01-05T02:59:59.999Z first',
        found: 'queued at 2026-01-05T03:00:00.000Z',
      },
    ]);
    expect(checkHistory(waiting({}, { history: [] })).map(({ found }) => found)).toEqual(['queued', 'nothing']);
  });
});

describe('attempts', () => {
  const retried = (outcome: 'not_sent' | 'sent' | 'unknown') =>
    waiting(
      { status: 'sending', attempt: 2 },
      {
        history: moves('sending', 'queued', 'sending'),
        attempts: [refused(1, { outcome }), anAttempt(2, { claimedAt: TEST_START + 3 * SECOND })],
      },
    );

  it('before the last ended in a certain no', () => {
    expect(checkAttempts(retried('not_sent'))).toEqual([]);
    for (const end of ['sent', 'unknown'] as const) {
      expect(checkAttempts(retried(end))[0]).toMatchObject({ rule: 'attempts', found: `attempt 1 ${end}` });
    }
  });

  it('of a delivered message may be open or unknown: its report was faster than our 250, or the only word', () => {
    for (const end of [anAttempt(1), anAttempt(1, { outcome: 'unknown', finishedAt: 5 })]) {
      expect(checkAttempts(delivered({ attempts: [end] }))).toEqual([]);
    }
    expect(checkAttempts(delivered({ attempts: [refused(1)] }))).toHaveLength(1);
  });

  it('that is unknown belongs to a message that is', () => {
    const unknown = [anAttempt(1, { outcome: 'unknown', finishedAt: 5 })];
    const record = delivered({ history: moves('sending'), attempts: unknown }, { status: 'sending', unknown: true });
    expect(checkAttempts(record)).toEqual([]);
    expect(checkAttempts({ ...record, message: { ...record.message, unknown: false } })).toHaveLength(1);
  });
});

describe('the hand-off', () => {
  it('is behind the fence for whoever may have been seen, and only then', () => {
    expect(checkFence(delivered({}, { fence: null, fencedAt: null }))).toHaveLength(1);
    expect(checkFence(delivered({}, { fence: null }))).toHaveLength(1);
    expect(checkFence(waiting({ fence: 'token', fencedAt: 5 }))).toHaveLength(1);
    expect(checkFence(waiting({ status: 'failed', fence: 'token', fencedAt: 5 }))).toEqual([]);
    expect(checkFence(waiting({ status: 'sending', unknown: true }))).toHaveLength(1);
  });

  it('dates from the first word of it, which may be a report', () => {
    const late = delivered(
      { history: moves('sending', 'failed', 'delivered') },
      { dispatchedAt: TEST_START + 3 * SECOND },
    );
    expect(checkDispatched(late)).toEqual([]);
    expect(checkDispatched({ ...late, message: { ...late.message, dispatchedAt: TEST_START + 2 * SECOND } })).toEqual(
      [],
    );
    expect(checkDispatched({ ...late, message: { ...late.message, dispatchedAt: null } })).toHaveLength(1);
    const expired = delivered({ history: moves('sending', 'failed') }, { status: 'failed', reopenable: 'expired' });
    expect(checkDispatched(expired)).toEqual([]);
    expect(checkDispatched({ ...expired, message: { ...expired.message, reopenable: 'no_record' } })).toHaveLength(1);
  });
});

describe('a scheduled message', () => {
  const sendAt = TEST_START + DAY;

  it('is due at its time, and claimed then at the earliest', () => {
    expect(checkMessage(waiting({ sendAt, dueAt: sendAt }))).toEqual([]);
    expect(checkDeadline(waiting({ sendAt }))).toHaveLength(1);
    const early = delivered({}, { sendAt });
    expect(checkAttempts(early)).toMatchObject([
      { rule: 'attempts', found: 'attempt 1 claimed at 2026-01-05T03:00:01.000Z' },
    ]);
    expect(checkAttempts(delivered({}, { sendAt: TEST_START + SECOND }))).toEqual([]);
  });

  it('keeps attachments for four days from then', () => {
    const held = (attachmentsUntil: number) =>
      checkAttachments(waiting({ sendAt, dueAt: sendAt, attachmentsUntil }, { attachments: 1 }));
    expect(held(sendAt + 4 * DAY)).toEqual([]);
    expect(held(sendAt + 4 * DAY + 1)).toHaveLength(1);
  });
});

describe('failed_reason', () => {
  it.each([
    ['queued after a refusal', waiting({ failedReason: '451 later' }, { attempts: [refused(1)] }), true],
    ['queued before any', waiting({ failedReason: '451 later' }), false],
    ['delayed', sentToMta({ failedReason: `${texts.delayed}: 4.2.0` }), true],
    ['at the server for another reason', sentToMta({ failedReason: 'something' }), false],
    ['bounced by a report that says nothing', delivered({}, { status: 'bounced', failedReason: '' }), true],
    ['cancelled', waiting({ status: 'failed', failedReason: texts.cancelled }), true],
    ['cancelled after a claim', delivered({}, { status: 'failed', failedReason: texts.cancelled }), false],
    ['failed for nothing', waiting({ status: 'failed', failedReason: '' }), false],
    [
      'failed without a record',
      waiting({ status: 'failed', failedReason: texts.noRecord, reopenable: 'no_record' }),
      true,
    ],
    ['the same, but shut', waiting({ status: 'failed', failedReason: texts.noRecord }), false],
    ['delivered, but open', delivered({}, { reopenable: 'no_record', failedReason: texts.noRecord }), false],
  ])('%s', (_, record, right) => {
    expect(checkReason(record)).toHaveLength(right ? 0 : 1);
  });
});

describe('a deadline', () => {
  const claimed = TEST_START + SECOND;
  const sending = (dueAt: number) =>
    waiting({ status: 'sending', attempt: 1, dueAt }, { attempts: [anAttempt(1)], history: moves('sending') });

  it('of a claim is the end of its lease', () => {
    expect(checkDeadline(sending(claimed + HAND_OFF_LEASE))).toEqual([]);
    expect(checkDeadline(sending(claimed + HAND_OFF_LEASE + 1))).toHaveLength(1);
  });

  it('of a refused message is its next turn by the schedule, or at once after an interruption', () => {
    const again = (dueAt: number, outcome: 'refused_temporarily' | 'not_sent') =>
      checkDeadline(waiting({ dueAt, attempt: 1, firstClaimedAt: claimed }, { attempts: [refused(1, { outcome })] }));
    const ended = TEST_START + 2 * SECOND;
    expect(again(ended + MINUTE, 'refused_temporarily')).toEqual([]);
    expect(again(ended + SECOND, 'refused_temporarily')).toHaveLength(1);
    expect(again(ended + SECOND, 'not_sent')).toEqual([]);
    expect(again(ended + HOUR, 'not_sent')).toHaveLength(1);
  });

  it('of a message of a paused campaign is its turn, on hold', () => {
    const held = (change: Partial<MessageRecord['message']>) =>
      checkDeadline(waiting({ lane: 'campaign', dueAt: TEST_START + HOLD, ...change }));
    expect(held({})).toEqual([]);
    expect(held({ dueAt: TEST_START + HOLD + 1 })).toHaveLength(1);
    expect(held({ lane: 'transactional' })).toHaveLength(1);
  });

  it('of a wait for evidence is whole seconds after it began, and no longer than an operator may choose', () => {
    const days = LONGEST_EVIDENCE_WAIT / DAY;
    const chosen = (wait: string) => readConfig({ KURIR_EVIDENCE_WAIT: wait }).evidenceWait;
    expect(chosen(`${days}d`)).toBe(LONGEST_EVIDENCE_WAIT);
    expect(() => chosen(`${days}d1s`)).toThrow('KURIR_EVIDENCE_WAIT');
    const handedOver = TEST_START + 2 * SECOND;
    const unknown = (dueAt: number | null) =>
      delivered({ history: moves('sending') }, { status: 'sending', unknown: true, fencedAt: handedOver, dueAt });
    const at = (dueAt: number | null) => [sentToMta({ dueAt }), unknown(dueAt)].flatMap(checkDeadline).length;
    for (const wait of [SECOND, 3 * SECOND, LONGEST_EVIDENCE_WAIT]) expect(at(handedOver + wait)).toBe(0);
    for (const wait of [0, -1_500, 1_500, LONGEST_EVIDENCE_WAIT + SECOND]) expect(at(handedOver + wait)).toBe(2);
    expect(at(null)).toBe(2);
  });

  it('has passed once the service has lived for longer than the grace beyond it', () => {
    const { message } = sentToMta();
    const due = message.dueAt!;
    expect(findOverdue(message, null)).toBeNull();
    expect(findOverdue(message, due + OVERDUE_GRACE)).toBeNull();
    expect(findOverdue(message, due + OVERDUE_GRACE + 1)).toMatchObject({ rule: 'overdue', subject: ID });
    expect(findOverdue(delivered().message, due + DAY)).toBeNull();
    expect(findOverdue(waiting().message, due + DAY)).toBeNull();
    expect(findOverdue(waiting({ attachmentsUntil: due }).message, due + DAY)).toMatchObject({ rule: 'overdue' });
  });
});

describe('content', () => {
  it('attachments are held while it waits, for four days, and by nobody else', () => {
    const until = TEST_START + 4 * DAY;
    const held = (message: object, attachments: number) => checkAttachments(waiting(message, { attachments })).length;
    expect(held({ attachmentsUntil: until }, 2)).toBe(0);
    expect(held({ attachmentsUntil: until, status: 'sending' }, 2)).toBe(0);
    expect(held({ attachmentsUntil: until + 1 }, 2)).toBe(1);
    expect(held({ attachmentsUntil: until }, 0)).toBe(1);
    expect(held({ attachmentsUntil: null }, 1)).toBe(1);
    expect(held({ attachmentsUntil: until, status: 'failed' }, 2)).toBe(1);
  });

  it('is of one workspace, and of nobody once the contact is gone', () => {
    expect(checkOwner(delivered({ contactWorkspaceId: null, hasRecipient: false }))).toEqual([]);
    for (const change of [
      { contactWorkspaceId: null },
      { hasRecipient: false },
      { contactWorkspaceId: 2 },
      { domainWorkspaceId: 2 },
      { domainWorkspaceId: null },
    ]) {
      expect(checkOwner(delivered(change))).toHaveLength(1);
    }
  });
});
