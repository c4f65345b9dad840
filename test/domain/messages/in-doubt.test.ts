import { describe, expect, it } from '@jest/globals';
import { applyFeedback } from '../../../domain/messages/apply-feedback';
import type { Feedback } from '../../../domain/messages/feedback';
import { becameUnknown, overdue, passFence, type Outcome } from '../../../domain/messages/lifecycle';
import { staysUnknown } from '../../../domain/messages/log-settled';
import type { Message } from '../../../domain/messages/message';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import { aMessage } from '../../support/message';

const NOW = 10 * DAY;
const WAIT = 4 * DAY;
const QUARTER = 15 * MINUTE;
const fenced = aMessage({
  status: 'sending',
  attempt: 1,
  firstClaimedAt: NOW,
  dueAt: NOW + HOUR,
  fence: 'mine',
  fencedAt: NOW,
  attachmentCount: 0,
});
const after = (message: Message, outcome: Outcome | null): Message => ({ ...message, ...outcome!.set });
const unknownOf = (message: Message): Message =>
  after(message, becameUnknown(message, 'gone', NOW, { evidenceWait: WAIT, resend: true }));
const report = (kind: Feedback['kind'], more: Partial<Feedback> = {}): Feedback => ({
  kind,
  trusted: true,
  text: 'said',
  at: NOW + HOUR,
  class: null,
  hard: false,
  ...more,
});

describe('a hand-off without an answer, of a workspace that wants its mail again when in doubt', () => {
  it('waits a quarter of an hour for a report and is queued again then, for the coin of its next claim', () => {
    const unknown = unknownOf(fenced);
    expect(unknown).toMatchObject({ unknown: true, dueAt: NOW + QUARTER });
    expect(overdue(unknown, NOW + QUARTER - 1, WAIT, true)).toBeNull();
    expect(overdue(unknown, NOW + QUARTER, WAIT, true)).toMatchObject({
      set: { status: 'queued', dueAt: NOW + QUARTER + SECOND, fence: null, unknown: false, reopenable: 'unconfirmed' },
      attempt: { outcome: 'unconfirmed' },
      ledger: [{ id: `refund:${fenced.id}:1`, amount: 1 }],
    });
  });

  it('waits no longer than others where the wait for evidence is shorter, and twice as long each time', () => {
    const short = { evidenceWait: 5 * SECOND, resend: true };
    expect(becameUnknown(fenced, 'gone', NOW, short)?.set.dueAt).toBe(NOW + 5 * SECOND);
    expect(unknownOf({ ...fenced, attempt: 3 }).dueAt).toBe(NOW + 4 * QUARTER);
  });

  it('ends as any other once three days have passed since the first claim', () => {
    const last = { ...fenced, attempt: 2, firstClaimedAt: NOW - 3 * DAY };
    const unknown = unknownOf(last);
    expect(unknown.dueAt).toBe(NOW + WAIT);
    expect(overdue(unknown, NOW + WAIT, WAIT, true)?.set).toMatchObject({ status: 'failed', reopenable: 'no_record' });
  });

  it('keeps its attachments, and is never sent without them', () => {
    const outcome = becameUnknown({ ...fenced, attachmentsUntil: NOW + DAY }, 'gone', NOW, {
      evidenceWait: WAIT,
      resend: true,
    });
    expect([outcome?.dropAttachments, outcome?.set.attachmentsUntil]).toEqual([false, undefined]);
    const stripped = { ...unknownOf(fenced), attachmentCount: 1, attachmentsUntil: null };
    expect(overdue(stripped, NOW + QUARTER, WAIT, true)?.set).toEqual({ dueAt: NOW + WAIT });
    const kept = { ...unknownOf(fenced), attachmentCount: 1, attachmentsUntil: NOW + DAY };
    expect(overdue(kept, NOW + QUARTER, WAIT, true)?.set.status).toBe('queued');
    // The log that cannot tell does not let go of them either.
    expect(staysUnknown(kept, 'mine', NOW, WAIT)).toBeNull();
    expect(staysUnknown({ ...kept, dueAt: NOW + WAIT }, 'mine', NOW, WAIT)?.dropAttachments).toBe(true);
  });

  it('is not sent to a contact that was deleted, nor after the choice was taken back: it waits for its evidence', () => {
    const unknown = unknownOf(fenced);
    expect(overdue({ ...unknown, to: null }, NOW + QUARTER, WAIT, true)?.set).toEqual({ dueAt: NOW + WAIT });
    const patient = overdue(unknown, NOW + QUARTER, WAIT, false);
    expect(patient).toMatchObject({ set: { dueAt: NOW + WAIT }, ledger: [] });
    expect(overdue(after(unknown, patient), NOW + WAIT, WAIT, false)?.set.status).toBe('failed');
  });

  it('is settled when its time is up, however far ahead the clock was at its fence', () => {
    const far = NOW + 3650 * DAY;
    const ahead = { ...unknownOf(fenced), firstClaimedAt: far, fencedAt: far, dueAt: NOW + WAIT };
    expect(overdue(ahead, NOW + WAIT, WAIT, false)?.set).toMatchObject({ status: 'failed', reopenable: 'no_record' });
    expect(overdue(ahead, NOW + WAIT, WAIT, true)?.set).toMatchObject({ status: 'queued' });
  });

  it('is left alone when the server said 250 and no report came', () => {
    const taken = aMessage({ status: 'sent_to_mta', attempt: 1, fence: 'mine', fencedAt: NOW, dueAt: NOW });
    expect(overdue(taken, NOW, WAIT, true)?.set).toMatchObject({ status: 'failed', reopenable: 'no_record' });
  });
});

describe('evidence of the first hand-off of a mail that is sent again', () => {
  const unknown = unknownOf(fenced);
  const queued = after(unknown, overdue(unknown, NOW + QUARTER, WAIT, true));
  const claimed: Message = { ...queued, status: 'sending', attempt: 2, dueAt: NOW + HOUR };
  const late = { id: `debit:${fenced.id}:late`, amount: -1 };

  it('settles it while it waits for its turn, and takes its coin: it is not sent twice', () => {
    const delivered = applyFeedback(queued, report('delivered'), WAIT)!.outcome;
    expect(delivered).toMatchObject({ set: { status: 'delivered', dueAt: null, reopenable: null }, ledger: [late] });
    const bounced = applyFeedback(queued, report('bounced', { hard: true }), WAIT)!;
    expect(bounced.outcome.ledger).toMatchObject([late, { id: `penalty:${fenced.id}` }]);
    expect(bounced).toMatchObject({ outcome: { set: { status: 'bounced' } }, effects: { suppress: 'hard_bounce' } });
  });

  it('settles it before the fence of the next hand-off, with the coin of that claim, and closes the fence', () => {
    const { outcome } = applyFeedback(claimed, report('delivered'), WAIT)!;
    expect(outcome).toMatchObject({ set: { status: 'delivered' }, ledger: [] });
    expect(passFence(after(claimed, outcome), 2, 'next', NOW)).toBeNull();
    const delayed = applyFeedback(claimed, report('delayed'), WAIT)!.outcome;
    expect(delayed.set.status).toBe('sent_to_mta');
    expect(passFence(after(claimed, delayed), 2, 'next', NOW)).toBeNull();
  });

  it('settles it after it has failed for another reason, and takes its coin', () => {
    const failed: Message = { ...queued, status: 'failed', failedReason: 'Saldo koin habis.', dueAt: null };
    expect(applyFeedback(failed, report('delivered'), WAIT)?.outcome.ledger).toMatchObject([late]);
  });

  it('is none for a message that was only refused before', () => {
    const refused = aMessage({ status: 'queued', attempt: 1, dueAt: NOW });
    expect(applyFeedback(refused, report('delivered'), WAIT)).toBeNull();
  });
});
