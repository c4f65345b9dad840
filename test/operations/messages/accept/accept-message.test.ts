import { beforeAll, describe, expect, test } from '@jest/globals';
import { acceptMessage } from '../../../../operations/messages/accept/accept-messages';
import { Reason } from '../../../../lib/reason';
import { Refusal } from '../../../../operations/messages/accept/refusal';
import { aContact, aSuppression } from '../../../support/builders';
import { aMail, TestApi } from '../../../support/test-api';
import { acceptDeps, prepared, submitted } from './support';

const api = TestApi.ofFile();
const account = api.accountOfFile();
let deps: ReturnType<typeof acceptDeps>;
beforeAll(async () => {
  deps = acceptDeps(api);
});

/** What forced sends of the workspace cost since the last look. */
async function penalties(workspaceId: number): Promise<(string | undefined)[]> {
  const entries = await api.bookCoins();
  return entries.filter((entry) => entry.workspaceId === workspaceId).map(({ gate }) => gate?.key);
}

describe('acceptMessage, the command every interface shares', () => {
  test('names the channel the message came by', async () => {
    const result = await acceptMessage(deps, submitted(account));
    if (result instanceof Refusal) throw new Error(result.message);
    expect(result).toEqual({ kind: 'accepted', id: expect.any(String), status: 'queued', warnings: [] });
    const stored = await deps.stores.messages.get(result.id);
    expect(stored).toMatchObject({ channel: 'smtp', lane: 'transactional', campaignId: null });
  });

  test('a refusal is a value with a reason of its own', async () => {
    const result = await acceptMessage(
      deps,
      submitted(account, { fields: aMail(account.domain, { to: 'malformed' }) }),
    );
    expect(result).toBeInstanceOf(Refusal);
    expect(result).toMatchObject({ reason: 'malformed_address', errors: { to: [expect.any(Reason)] } });
  });

  test('the loser of a race for one idempotency key gets the winner’s message', async () => {
    const results = await Promise.all(
      [1, 2].map(() => acceptMessage(deps, submitted(account, { idempotencyKey: 'same-key-twice' }))),
    );
    expect(results.map((result) => 'kind' in result && result.kind).sort()).toEqual(['accepted', 'duplicate']);
    expect(new Set(results.map((result) => 'id' in result && result.id)).size).toBe(1);
  });

  test('a penalty that cannot be made durable is no refusal but an error', async () => {
    const broken = { ...deps, log: { publish: () => Promise.reject(new Error('log is gone')) } };
    const fields = aMail(account.domain, { to: 'malformed' });
    await expect(acceptMessage(broken, submitted(account, { fields }))).rejects.toThrow('log is gone');
  });

  test('a store that fails while accepting is an error, never an acceptance', async () => {
    const accept = () => Promise.reject(new Error('disk full'));
    const broken = { ...deps, stores: { ...deps.stores, messages: { accept } } };
    await expect(acceptMessage(broken, submitted(account))).rejects.toThrow('disk full');
  });
});

describe('a prepared message', () => {
  test('is stored as it was prepared, for the contact that was chosen', async () => {
    const contact = await api.stores.contacts.ensure(aContact(account.workspace.id));
    const plain = prepared(account, { contact });
    const message = { ...plain, draft: { ...plain.draft, metadata: { promo: 7 }, replyTo: 'cs@contoh.test' } };
    const result = await acceptMessage(deps, message);
    if (result instanceof Refusal) throw new Error(result.message);
    const { draft, body } = message;
    const { id: workspaceId } = account.workspace;
    expect(await deps.stores.messages.job(result.id)).toMatchObject({
      message: {
        ...draft,
        workspaceId,
        domainId: account.domain.id,
        id: result.id,
        contactId: contact.id,
        to: contact.email,
        toText: contact.email,
      },
      contact: { id: contact.id },
      body,
    });
  });

  test('holds its attachments for four days', async () => {
    const { email } = aContact(account.workspace.id);
    const attachments = [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') }];
    const result = await acceptMessage(deps, prepared(account, { address: email }, { attachments }));
    if (result instanceof Refusal) throw new Error(result.message);
    const job = await deps.stores.messages.job(result.id);
    expect(job?.message.attachmentsUntil).toBe(api.clock.now() + 4 * 24 * 3_600_000);
    expect(job?.attachments).toMatchObject(attachments.map(({ filename }) => ({ filename })));
  });

  test('is never refused for a chosen contact, which the claim looks at', async () => {
    const { workspace, domain } = await api.account({ coins: 0 });
    const contact = await api.stores.contacts.ensure(aContact(workspace.id));
    await api.stores.contacts.raiseStatus(workspace.id, contact.id, 'unsubscribed', api.clock.now());
    await api.stores.suppressions.add(aSuppression({ workspaceId: workspace.id, addressHash: contact.emailHash }));
    const result = await acceptMessage(deps, prepared({ ...account, workspace, domain }, { contact }));
    expect(result).toMatchObject({ kind: 'accepted' });
    expect(await penalties(workspace.id)).toEqual([]);
  });

  test('for an address finds or makes the contact, and may be refused at a penalty', async () => {
    const own = await api.account();
    const { email, emailHash } = aContact(own.workspace.id);
    const result = await acceptMessage(deps, prepared(own, { address: email.toUpperCase() }));
    if (result instanceof Refusal) throw new Error(result.message);
    const contact = await api.stores.contacts.find(own.workspace.id, email);
    expect(await deps.stores.messages.get(result.id)).toMatchObject({
      contactId: contact?.id,
      to: email,
      toText: email.toUpperCase(),
    });
    await api.stores.suppressions.add(aSuppression({ workspaceId: own.workspace.id, addressHash: emailHash }));
    expect(await acceptMessage(deps, prepared(own, { address: email }))).toMatchObject({ reason: 'suppressed' });
    expect(await penalties(own.workspace.id)).toEqual([`${emailHash}:suppressed`]);
  });
});
