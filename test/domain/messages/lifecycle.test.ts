import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE, SECOND } from '../../../lib/clock';
import {
  attachmentsExpired,
  becameUnknown,
  overdue,
  passFence,
  refusedPermanently,
  refusedTemporarily,
  sent,
} from '../../../domain/messages/lifecycle';
import { aMessage } from '../../support/message';

const NOW = 10 * DAY;
const WAIT = 4 * DAY;
const claimed = aMessage({ status: 'sending', attempt: 2, firstClaimedAt: NOW - HOUR, dueAt: NOW + MINUTE });
const fenced = { ...claimed, fence: 'mine', fencedAt: NOW };
const mine = { attempt: 2, fence: 'mine' };
const refund = { id: `refund:${claimed.id}:2`, amount: 1, kind: 'refund' };

describe('the fence', () => {
  it('lets one hand-off of a claim pass', () => {
    expect(passFence(claimed, 2, 'mine', NOW)?.set).toEqual({ fence: 'mine', fencedAt: NOW });
    expect(passFence(fenced, 2, 'other', NOW)).toBeNull();
  });

  it('refuses a hand-off whose claim was settled, given back or made again', () => {
    expect(passFence(claimed, 1, 'late', NOW)).toBeNull();
    expect(passFence({ ...claimed, status: 'queued' }, 2, 'late', NOW)).toBeNull();
    expect(passFence({ ...claimed, status: 'failed' }, 2, 'late', NOW)).toBeNull();
  });
});

describe('the answer of the sending server', () => {
  // spec: docs/contract.md#statuses: sent_to_mta: handed to the sending server
  // spec: docs/contract.md#dispatched-at: message: `dispatched_at` set once handed to the sending server
  it('250 makes it sent_to_mta, with dispatched_at and a deadline for evidence', () => {
    const outcome = sent(fenced, mine, '250 ok', NOW, WAIT);
    expect(outcome).toMatchObject({
      set: { status: 'sent_to_mta', dispatchedAt: NOW, dueAt: NOW + WAIT, failedReason: null },
      dropAttachments: true,
      ledger: [],
    });
  });

  it('250 that comes after the evidence closes the attempt only', () => {
    const outcome = sent({ ...fenced, status: 'bounced', dispatchedAt: NOW - 1 }, mine, '250 ok', NOW, WAIT);
    expect(outcome?.set).toEqual({});
    expect(outcome?.attempt).toMatchObject({ outcome: 'sent' });
  });

  it('250 of a hand-off that lost its claim changes nothing', () => {
    expect(sent(fenced, { attempt: 2, fence: 'other' }, '250 ok', NOW, WAIT)).toBeNull();
  });

  // spec: docs/contract.md#temporary-refusals: retries exhausted or permanent refusal: failed, refunded
  it('5xx makes it failed with the text of the server, and gives the coin back', () => {
    expect(refusedPermanently(claimed, { attempt: 2, fence: null }, '550 5.1.1 no', NOW)).toMatchObject({
      set: { status: 'failed', failedReason: '550 5.1.1 no', dueAt: null },
      ledger: [refund],
      dropAttachments: true,
    });
  });

  // spec: docs/contract.md#temporary-refusals: temporary refusal: same state, failed_reason filled, retried
  //   automatically
  it('4xx queues it again with the reason and a later turn, and gives the coin back', () => {
    const refusal = { reply: '451 later', outcome: 'refused_temporarily' as const };
    expect(refusedTemporarily(fenced, mine, refusal, NOW)).toMatchObject({
      set: { status: 'queued', failedReason: '451 later', dueAt: NOW + 2 * MINUTE, fence: null, fencedAt: null },
      ledger: [refund],
    });
  });

  // spec: docs/contract.md#failed-reasons: failed: `MTA menolak sementara terus-menerus:` after at most 3 days, coins
  //   refunded
  it('4xx for three days makes it failed with the text of the contract; the last attempt falls on their end', () => {
    const refusal = { reply: '451 later', outcome: 'refused_temporarily' as const };
    const nearly = { ...claimed, attempt: 60, firstClaimedAt: NOW - 3 * DAY + MINUTE };
    const handOff = { attempt: 60, fence: null };
    expect(refusedTemporarily(nearly, handOff, refusal, NOW)?.set.dueAt).toBe(NOW + MINUTE);
    expect(refusedTemporarily({ ...nearly, firstClaimedAt: NOW - 3 * DAY }, handOff, refusal, NOW)).toMatchObject({
      set: { status: 'failed', failedReason: 'MTA menolak sementara terus-menerus: 451 later', dueAt: null },
      ledger: [{ id: `refund:${claimed.id}:60` }],
    });
  });

  it('none at all leaves it sending until evidence comes or its time is over', () => {
    const unknown = becameUnknown(fenced, 'connection lost', NOW + MINUTE, { evidenceWait: WAIT });
    expect(unknown).toMatchObject({ set: { unknown: true, dueAt: NOW + WAIT }, ledger: [] });
    expect(unknown?.set.status).toBeUndefined();
    expect(unknown).toMatchObject({ set: { attachmentsUntil: null }, dropAttachments: true });
  });
});

describe('a deadline that has passed', () => {
  const late = NOW + 5 * DAY;

  it('before the fence is a lost hand-off: queued again at once, coin back', () => {
    expect(overdue(claimed, NOW + MINUTE, WAIT)).toMatchObject({
      set: { status: 'queued', dueAt: NOW + MINUTE + SECOND, failedReason: null },
      ledger: [refund],
    });
  });

  it('before the fence never counts towards the three days, however long the service was away', () => {
    const away = overdue({ ...claimed, attempt: 1, firstClaimedAt: NOW - 9 * DAY, dueAt: NOW }, NOW, WAIT);
    expect(away?.set).toMatchObject({ status: 'queued', firstClaimedAt: null });
    expect(overdue({ ...claimed, firstClaimedAt: NOW - 9 * DAY, dueAt: NOW }, NOW, WAIT)?.set.status).toBe('queued');
  });

  it('does not close the ears to a refusal of the same hand-off that comes after all', () => {
    const lost = { ...fenced, unknown: true, dueAt: NOW + WAIT };
    const refusal = { reply: '451 later', outcome: 'refused_temporarily' as const };
    expect(refusedTemporarily(lost, mine, refusal, NOW)?.set).toMatchObject({ status: 'queued', unknown: false });
    expect(refusedPermanently(lost, mine, '550 no', NOW)?.set).toMatchObject({ status: 'failed', unknown: false });
    expect(refusedTemporarily(lost, { attempt: 2, fence: 'other' }, refusal, NOW)).toBeNull();
  });

  it('after the fence makes the hand-off unknown, never repeated', () => {
    const outcome = overdue({ ...fenced, dueAt: NOW + MINUTE }, NOW + MINUTE, WAIT);
    expect(outcome).toMatchObject({ set: { unknown: true, dueAt: NOW + WAIT }, ledger: [] });
    // It may only be frozen, and its refusal would need them.
    expect(outcome?.dropAttachments).toBe(false);
    expect(outcome?.set).not.toHaveProperty('attachmentsUntil');
  });

  // spec: docs/contract.md#no-delivery-record: no delivery record: failed, refunded
  it('without any delivery record is failed with `Tidak ada catatan pengiriman dari MTA.` and a refund', () => {
    for (const waiting of [
      { ...fenced, unknown: true, dueAt: NOW + WAIT },
      { ...fenced, status: 'sent_to_mta' as const, dispatchedAt: NOW, dueAt: NOW + WAIT },
    ]) {
      expect(overdue(waiting, late, WAIT)).toMatchObject({
        set: { status: 'failed', failedReason: 'Tidak ada catatan pengiriman dari MTA.', reopenable: 'no_record' },
        ledger: [refund],
      });
    }
  });

  it('that has not passed means nothing', () => {
    expect(overdue(claimed, NOW, WAIT)).toBeNull();
    expect(overdue({ ...claimed, status: 'delivered', dueAt: null }, late, WAIT)).toBeNull();
  });

  // spec: docs/contract.md#attachment-retention: queued to failed: attachments held longer than 4 days
  // spec: docs/contract.md#attachment-retention: attachments retained max 4 days before hand-off
  it('attachments held for more than four days fail a queued message, without a coin moving', () => {
    const holding = aMessage({ attachmentsUntil: NOW });
    expect(attachmentsExpired(holding, NOW)).toMatchObject({
      set: { status: 'failed', attachmentsUntil: null },
      dropAttachments: true,
      ledger: [],
    });
    expect(attachmentsExpired(holding, NOW - 1)).toBeNull();
    expect(attachmentsExpired({ ...holding, status: 'sending' }, NOW)).toBeNull();
  });
});
