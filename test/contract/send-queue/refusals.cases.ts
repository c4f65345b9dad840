import { describe, expect, it } from '@jest/globals';
import { DOMAIN_STATUSES } from '../../../domain/settings/sending-domain';
import { SUPPRESSION_REASONS } from '../../../domain/contacts/suppression';
import { texts } from '../../../domain/texts';
import { acceptMessage, aContact, aGrant, aSuppression, createSender, type Sender } from '../../support/builders';
import { TEST_START as NOW } from '../../support/clock';
import { acceptAndClaim, acceptMany, claim, claimAll } from '../claiming';
import { sharedEngine, type OpenEngine, type Subject } from '../harness';
import { valuesSeen } from '../log-reading';

type Fault = (subject: Subject, sender: Sender) => Promise<unknown>;

const domainStatus =
  (status: (typeof DOMAIN_STATUSES)[number]): Fault =>
  ({ stores }, { domain }) =>
    stores.domains.setStatus(domain.id, status);
const suspended: Fault = ({ stores }, { workspace }) => stores.workspaces.update(workspace.id, { suspended: true });
const deleted: Fault = ({ stores }, { contact }) => stores.contacts.delete(contact.workspaceId, contact.id);
const contactStatus =
  (status: 'unsubscribed' | 'bounced' | 'complained'): Fault =>
  ({ stores }, { contact }) =>
    stores.contacts.raiseStatus(contact.workspaceId, contact.id, status, NOW);
const suppressed =
  (reason: (typeof SUPPRESSION_REASONS)[number]): Fault =>
  ({ stores }, { contact }) =>
    stores.suppressions.add(
      aSuppression({
        workspaceId: reason === 'global' ? null : contact.workspaceId,
        addressHash: contact.emailHash,
        reason,
      }),
    );
const balance =
  (coins: number): Fault =>
  async ({ stores }, { workspace }) => {
    const account = await stores.coins.account(workspace.id);
    await stores.coins.post(aGrant(workspace.id, coins - account.balance));
  };

const SINGLE: [string, string, Fault][] = [
  ...DOMAIN_STATUSES.filter((status) => status !== 'active').map((status): [string, string, Fault] => [
    `the domain is ${status}`,
    texts.domainInactiveAtSend,
    domainStatus(status),
  ]),
  ['the workspace is suspended', texts.workspaceSuspended, suspended],
  ['the contact was deleted', texts.contactDeleted, deleted],
  ['the contact unsubscribed', texts.contactUnsubscribed, contactStatus('unsubscribed')],
  ['the contact bounced', texts.suppressed, contactStatus('bounced')],
  ['the contact complained', texts.suppressed, contactStatus('complained')],
  ...SUPPRESSION_REASONS.map((reason): [string, string, Fault] => [
    `the address is suppressed as ${reason}`,
    texts.suppressed,
    suppressed(reason),
  ]),
  ['the balance is zero', texts.noCoins, balance(0)],
  ['the balance is negative', texts.noCoins, balance(-4)],
];

/** Several reasons at once, strongest first: the first one is reported. */
const RANKED: [string, string, Fault[]][] = [
  ['the domain', texts.domainInactiveAtSend, [domainStatus('suspended'), suspended, deleted, balance(0)]],
  ['the workspace', texts.workspaceSuspended, [suspended, deleted, suppressed('manual'), balance(0)]],
  ['the deletion', texts.contactDeleted, [deleted, suppressed('complaint'), balance(0)]],
  ['the unsubscription', texts.contactUnsubscribed, [contactStatus('unsubscribed'), suppressed('global'), balance(0)]],
  ['the suppression', texts.suppressed, [suppressed('manual'), balance(-4)]],
];

/** Mail of the category `transactional`. */
const TRANSACTIONAL: [string, string | null, Fault][] = [
  ['a contact that unsubscribed', null, contactStatus('unsubscribed')],
  ['a contact that bounced', texts.suppressed, contactStatus('bounced')],
  ['a contact that complained', texts.suppressed, contactStatus('complained')],
  ['a deleted contact', texts.contactDeleted, deleted],
  ['a suppressed address', texts.suppressed, suppressed('manual')],
  [
    'an unsubscribed contact whose address is suppressed',
    texts.suppressed,
    async (subject, sender) => {
      await contactStatus('unsubscribed')(subject, sender);
      await suppressed('hard_bounce')(subject, sender);
    },
  ],
];

function describeReasons(open: OpenEngine): void {
  describe('a claim refuses', () => {
    const subject = sharedEngine(open);
    // spec: docs/contract.md#transactional-mail: who it goes to
    it.each(TRANSACTIONAL)(
      'transactional mail by the same rules, but not for an unsubscription: %s',
      async (_, reason, fault) => {
        const sender = await createSender(subject.stores);
        const { id } = await acceptMessage(subject.stores, sender, { facts: { category: 'transactional' } });
        await fault(subject, sender);
        await claim(subject, sender);
        expect(await subject.stores.messages.get(id)).toMatchObject({
          category: 'transactional',
          status: reason === null ? 'sending' : 'failed',
          failedReason: reason,
        });
      },
    );

    const reasonAfter = async (faults: readonly Fault[]) => {
      const sender = await createSender(subject.stores);
      const { id } = await acceptMessage(subject.stores, sender);
      for (const fault of faults) await fault(subject, sender);
      expect(await claim(subject, sender)).toEqual({ kind: 'claimed', claimed: [], refused: 1, stop: 'empty' });
      const message = await subject.stores.messages.get(id);
      return [message?.status, message?.failedReason];
    };

    // spec: docs/contract.md#sending-domains: sending domain: only `active` may send
    // spec: docs/contract.md#failed-reasons: failed: `Domain pengirim tidak aktif.`, `Workspace disuspend.`, `Kontak
    //   sudah dihapus.`, `Kontak sudah tidak berlangganan.`, `Penerima ada di suppression list.`
    // spec: docs/contract.md#failed-reasons: failed: `Saldo koin habis — top-up koin untuk lanjut mengirim.` when the
    //   send turn came
    // spec: docs/contract.md#failed-reasons: queued to failed: domain, workspace, contact or suppression changed after
    //   acceptance
    // spec: docs/contract.md#balance: the balance can go negative; sending stops until it is positive
    it.each(SINGLE)('when %s: %s', async (_, text, fault) => {
      expect(await reasonAfter([fault])).toEqual(['failed', text]);
    });

    // spec: docs/contract.md#failed-reasons: failed: `Domain pengirim tidak aktif.`, `Workspace disuspend.`, `Kontak
    //   sudah dihapus.`, `Kontak sudah tidak berlangganan.`, `Penerima ada di suppression list.`
    it.each(RANKED)('for %s before anything weaker: %s', async (_, text, faults) => {
      expect(await reasonAfter(faults)).toEqual(['failed', text]);
    });

    it('when the contact was deleted, also when the address came back as a new contact', async () => {
      const comesBack: Fault = ({ stores }, { contact }) =>
        stores.contacts.ensure(aContact(contact.workspaceId, { email: contact.email }));
      expect(await reasonAfter([deleted, comesBack])).toEqual(['failed', texts.contactDeleted]);
    });

    it('nobody for what is on the list of another workspace, or elsewhere inactive', async () => {
      const [sender, other] = [await createSender(subject.stores), await createSender(subject.stores)];
      const addressHash = sender.contact.emailHash;
      await subject.stores.suppressions.add(aSuppression({ workspaceId: other.workspace.id, addressHash }));
      await subject.stores.domains.setStatus(other.domain.id, 'suspended');
      await subject.stores.workspaces.update(other.workspace.id, { suspended: true });
      await acceptMany(subject, sender, 1);
      expect(await claim(subject, sender)).toMatchObject({ refused: 0, claimed: [{ status: 'sending' }] });
    });
  });
}

function describeRefused(open: OpenEngine): void {
  describe('a refused message', () => {
    const subject = sharedEngine(open);

    // spec: docs/contract.md#failed-reasons: queued to failed: domain, workspace, contact or suppression changed after
    //   acceptance
    it('has failed for good: no coin, no attempt, no hand-off', async () => {
      const sender = await createSender(subject.stores, { coins: 10 });
      const { id, workspaceId, version } = await acceptMessage(subject.stores, sender);
      await suppressed('manual')(subject, sender);
      await claim(subject, sender, { now: NOW + 7 });
      const failed = {
        status: 'failed',
        dueAt: null,
        attempt: 0,
        firstClaimedAt: null,
        dispatchedAt: null,
        fence: null,
      };
      const after = await subject.stores.messages.get(id);
      expect(after).toMatchObject(failed);
      expect(after?.version).toBeGreaterThan(version);
      expect((await subject.stores.messages.history(id)).at(-1)).toEqual({ status: 'failed', at: NOW + 7 });
      expect(await subject.stores.messages.attempts(id)).toEqual([]);
      expect(await subject.stores.coins.ofMessage(workspaceId, id)).toEqual([]);
      expect((await subject.stores.coins.account(workspaceId)).balance).toBe(10);
      expect(await claim(subject, sender, { now: NOW + 8 })).toMatchObject({ claimed: [], refused: 0, stop: 'empty' });
    });

    it('is not announced to the dispatch consumers', async () => {
      const sender = await createSender(subject.stores);
      const refused = await acceptMessage(subject.stores, sender);
      await domainStatus('suspended')(subject, sender);
      await claim(subject, sender);
      await domainStatus('active')(subject, sender);
      const marker = await acceptAndClaim(subject, sender);
      const mine = [refused.id, marker.id];
      const seen = await valuesSeen(subject.log, 'dispatch', 1, ({ messageId }) => mine.includes(messageId));
      expect(seen).toEqual([{ messageId: marker.id, attempt: 1 }]);
    });

    // spec: docs/contract.md#attachment-retention: files are kept only until hand-off
    it('holds no attachments any more', async () => {
      const sender = await createSender(subject.stores);
      const { id } = await acceptMessage(subject.stores, sender, {
        attachments: [{ filename: 'a.txt', contentType: 'text/plain', content: Buffer.from('a') }],
        attachmentsUntil: NOW + 1_000,
      });
      await suspended(subject, sender);
      await claim(subject, sender);
      const { messages } = subject.stores;
      expect((await messages.get(id))?.attachmentsUntil).toBeNull();
      await messages.change(id, () => ({ set: { attachmentsUntil: NOW + 1_000 }, at: NOW, records: [] }));
      expect((await messages.job(id))?.attachments).toEqual([]);
    });

    it('does not keep those behind it from their turn', async () => {
      const sender = await createSender(subject.stores);
      const blocked = await subject.stores.contacts.ensure(aContact(sender.workspace.id));
      await contactStatus('unsubscribed')(subject, { ...sender, contact: blocked });
      for (let round = 0; round < 10; round += 1) {
        await acceptMessage(subject.stores, { ...sender, contact: blocked });
        await acceptMessage(subject.stores, sender);
      }
      const { claimed, refused } = await claimAll(subject, sender, { limit: 3 });
      expect([claimed.length, refused]).toEqual([10, 10]);
      expect(claimed.every(({ contactId }) => contactId === sender.contact.id)).toBe(true);
    });

    // spec: docs/contract.md#failed-reasons: failed: `Saldo koin habis — top-up koin untuk lanjut mengirim.` when the
    //   send turn came
    // spec: docs/contract.md#failed-reasons: queued to failed: coin balance exhausted at the send turn
    it('after the last coin has failed for the balance: three coins of ten mails', async () => {
      const sender = await createSender(subject.stores, { coins: 3 });
      const accepted = await acceptMany(subject, sender, 10);
      const { claimed, refused } = await claimAll(subject, sender, { limit: 10 });
      expect([claimed.map(({ id }) => id), refused]).toEqual([accepted.slice(0, 3).map(({ id }) => id), 7]);
      const ids = accepted.slice(3).map(({ id }) => id);
      const reasons = (await subject.stores.messages.getMany(sender.workspace.id, ids)).map((one) => one.failedReason);
      expect(reasons).toEqual(Array(7).fill(texts.noCoins));
      expect((await subject.stores.coins.account(sender.workspace.id)).balance).toBe(0);
    });

    it('on its second turn keeps the coin history of the first', async () => {
      const sender = await createSender(subject.stores);
      const { id, workspaceId } = await acceptAndClaim(subject, sender);
      await subject.stores.messages.change(id, () => ({ set: { status: 'queued', dueAt: NOW }, at: NOW, records: [] }));
      await suspended(subject, sender);
      expect(await claim(subject, sender)).toMatchObject({ claimed: [], refused: 1 });
      const message = await subject.stores.messages.get(id);
      expect(message).toMatchObject({ status: 'failed', attempt: 1, failedReason: texts.workspaceSuspended });
      expect(await subject.stores.coins.ofMessage(workspaceId, id)).toHaveLength(1);
    });
  });
}

/** A message that may no longer be sent fails with the contract's text and costs no coin. */
export function describeRefusals(open: OpenEngine): void {
  describeReasons(open);
  describeRefused(open);
}
