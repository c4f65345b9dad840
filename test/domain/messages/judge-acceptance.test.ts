import { describe, expect, it } from '@jest/globals';
import type { ContactStatus } from '../../../domain/contacts/contact';
import { judgeAcceptance, type AcceptanceLookup, type ToJudge } from '../../../domain/messages/judge-acceptance';

const FIRST = { id: 'first', status: 'delivered' as const };

/** A workspace with coins and nobody in it, but for what is given. */
const look = (found: {
  key?: boolean;
  message?: boolean;
  balance?: number;
  suppressed?: boolean;
  contact?: number;
  status?: ContactStatus;
}): AcceptanceLookup => ({
  withKey: () => (found.key ? FIRST : undefined),
  withId: () => (found.message ? FIRST : undefined),
  recipientState: (_workspace, _hash, email) => ({
    balance: found.balance ?? 1,
    suppressed: found.suppressed ?? false,
    contact: email === null ? null : (found.contact ?? null),
  }),
  statusOf: () => found.status,
});
const facts = { id: 'new', workspaceId: 1, category: null };
const address: ToJudge = {
  facts,
  recipient: { address: { email: 'budi@contoh.test', emailHash: 'h' } },
  idempotencyKey: 'k',
};
const checked: ToJudge = { facts, recipient: { checked: { id: 7, emailHash: 'h' } }, idempotencyKey: null };
const contact: ToJudge = { facts, recipient: { contact: 7 }, idempotencyKey: null };

describe('an acceptance', () => {
  it('is refused by the first check that fails, in the order of the contract', () => {
    const all = { key: true, balance: 0, suppressed: true, contact: 7, status: 'unsubscribed' as const };
    expect(judgeAcceptance(address, look(all))).toEqual({ kind: 'duplicate', ...FIRST });
    expect(judgeAcceptance(address, look({ ...all, key: false }))).toMatchObject({ reason: 'no_coins' });
    expect(judgeAcceptance(address, look({ ...all, key: false, balance: 1 }))).toMatchObject({ reason: 'suppressed' });
    const last = { contact: 7, status: 'unsubscribed' as const };
    expect(judgeAcceptance(address, look(last))).toMatchObject({ reason: 'unsubscribed' });
    const transactional = { ...address, facts: { ...facts, category: 'transactional' as const } };
    expect(judgeAcceptance(transactional, look(last))).toEqual({ kind: 'accepted', contactId: 7, deleted: false });
  });

  it('to a new address makes a contact, to a known one takes it', () => {
    expect(judgeAcceptance(address, look({}))).toEqual({ kind: 'accepted', contactId: null, deleted: false });
    const known = look({ contact: 7, status: 'subscribed' });
    expect(judgeAcceptance(address, known)).toEqual({ kind: 'accepted', contactId: 7, deleted: false });
  });

  it('to a checked contact is made once for its id, and refused as an address is', () => {
    expect(judgeAcceptance(checked, look({ message: true, balance: 0 }))).toEqual({ kind: 'duplicate', ...FIRST });
    expect(judgeAcceptance(checked, look({ suppressed: true, status: 'subscribed' }))).toMatchObject({
      reason: 'suppressed',
    });
    expect(judgeAcceptance(checked, look({ status: 'bounced' }))).toMatchObject({ reason: 'unsubscribed' });
    expect(judgeAcceptance(checked, look({}))).toEqual({ kind: 'accepted', contactId: 7, deleted: true });
  });

  it('to a contact is never refused: the claim checks it', () => {
    const none = { balance: 0, suppressed: true };
    expect(judgeAcceptance(contact, look({ ...none, status: 'unsubscribed' }))).toEqual({
      kind: 'accepted',
      contactId: 7,
      deleted: false,
    });
    expect(judgeAcceptance(contact, look(none))).toEqual({ kind: 'accepted', contactId: 7, deleted: true });
  });
});
