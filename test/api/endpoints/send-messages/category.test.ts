import { beforeEach, describe, expect, test } from '@jest/globals';
import type { ContactStatus } from '../../../../domain/contacts/contact';
import { SUPPRESSION_REASONS } from '../../../../domain/contacts/suppression';
import { aContact, aSuppression } from '../../../support/builders';
import { TestApi } from '../../../support/test-api';

const api = TestApi.ofFile();
const account = api.accountOfCase({ coins: 100 });
beforeEach(async () => {
  await api.stores.domains.setMail(account.domain.id, { category: 'transactional', trackClicks: false });
});

const TO = 'budi@contoh.test';
const stored = async (change: object = {}) => {
  const { status, body } = await api.send(account, { to: TO, ...change });
  expect([status, body.message]).toEqual([201, undefined]);
  return (await api.stores.messages.get(body.message_id))!;
};
const leave = async (status: ContactStatus): Promise<void> => {
  const { id } = await api.stores.contacts.ensure(aContact(account.workspace.id, { email: TO }));
  await api.stores.contacts.raiseStatus(account.workspace.id, id, status, api.clock.now());
};

describe('POST /messages from a transactional domain', () => {
  // spec: docs/contract.md#transactional-mail: the category is that of the domain, and stays
  test('201: the message is transactional, and stays so when the domain changes', async () => {
    const { id } = await stored();
    expect(await api.stores.messages.get(id)).toMatchObject({ category: 'transactional', trackClicks: false });
    await api.stores.domains.setMail(account.domain.id, { category: 'marketing', trackClicks: false });
    expect(await api.stores.messages.get(id)).toMatchObject({ category: 'transactional' });
    expect(await stored()).toMatchObject({ category: null, trackClicks: false });
  });

  test('201: the links are tracked when the operator says so', async () => {
    await api.stores.domains.setMail(account.domain.id, { category: 'transactional', trackClicks: true });
    expect(await stored()).toMatchObject({ category: 'transactional', trackClicks: true });
  });

  test('201: to a contact that unsubscribed, without a penalty', async () => {
    await leave('unsubscribed');
    await stored();
    expect(await api.balance(account)).toBe(100);
    await api.stores.domains.setMail(account.domain.id, { category: 'marketing', trackClicks: false });
    expect((await api.send(account, { to: TO })).status).toBe(422);
    expect(await api.balance(account)).toBe(96);
  });

  test.each(['bounced', 'complained'] as const)('422 and a penalty: to a contact that is %s', async (status) => {
    await leave(status);
    expect((await api.send(account, { to: TO })).body.code).toBe('recipient_unsubscribed');
    expect(await api.balance(account)).toBe(96);
  });

  test.each(SUPPRESSION_REASONS)('422 and a penalty: to an address that is suppressed as %s', async (reason) => {
    await leave('unsubscribed');
    const addressHash = api.keyring.hashAddress(TO);
    const workspaceId = reason === 'global' ? null : account.workspace.id;
    await api.stores.suppressions.add(aSuppression({ workspaceId, addressHash, reason }));
    expect((await api.send(account, { to: TO })).body.code).toBe('recipient_suppressed');
    expect(await api.balance(account)).toBe(96);
    await api.stores.suppressions.remove(workspaceId, addressHash);
  });
});

// spec: docs/contract.md#transactional-mail: no field of the API does it
test('no field of the API makes a message transactional or turns anything off', async () => {
  await api.stores.domains.setMail(account.domain.id, { category: 'marketing', trackClicks: false });
  const tried = {
    category: 'transactional',
    track_clicks: false,
    footer: false,
    open_tracking: false,
    marketing: false,
  };
  expect(await stored(tried)).toMatchObject({ category: null, trackClicks: false });
});
