import { describe, expect, it } from '@jest/globals';
import { campaignMessageId } from '../../../domain/campaigns/campaign-run';
import { TEST_START } from '../../support/clock';
import { aContact, aSuppression, createSender } from '../../support/builders';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce, present } from '../helpers';
import { expandAll, feedAll, messagesOf, prepare, progressOf, running, start } from './support';

/** The manifest, and the messages made of it. */
export function describeSteps(open: OpenEngine): void {
  const subject = sharedEngine(open);
  const recipients = (campaign: { workspaceId: number; id: number }) =>
    subject.stores.campaignRuns.recipients(campaign, 0, 1_000);

  describe('expand', () => {
    // spec: docs/contract.md#campaign-recipients: each member of the audience once, with why it is skipped
    it('lists every member once, with why it is skipped', async () => {
      const prepared = await prepare(subject, { members: 6 });
      const { campaign, members } = prepared;
      const { stores } = subject;
      const { workspaceId } = campaign;
      for (const [n, status] of (['unsubscribed', 'bounced', 'complained'] as const).entries()) {
        await stores.contacts.raiseStatus(workspaceId, at(members, n).id, status, TEST_START);
      }
      await stores.suppressions.add(aSuppression({ workspaceId, addressHash: at(members, 3).emailHash }));
      await start(subject, prepared, { qualified: 2 });
      expect(await expandAll(subject, campaign, 4)).toBe(6);
      expect(await recipients(campaign)).toEqual(
        members.map(({ id, email }, n) => ({
          contactId: id,
          email,
          status: n < 4 ? 'skipped' : 'pending',
          reason: ['unsubscribed', 'bounced', 'complained', 'suppressed'][n] ?? null,
          messageId: null,
        })),
      );
      expect(await progressOf(subject, campaign)).toMatchObject({
        expanded: true,
        waitingRows: 2,
        counts: { recipients: 6, skipped: 4, pending: 2, delivered: 0, bounced: 0, failed: 0, inHand: 0 },
      });
    });

    it('skips members who have not confirmed', async () => {
      const prepared = await prepare(subject, { audience: { optInMode: 'double' } });
      await start(subject, prepared, { qualified: 0 });
      await expandAll(subject, prepared.campaign);
      const rows = await recipients(prepared.campaign);
      expect(rows.map(({ status, reason }) => `${status} ${reason}`)).toEqual(Array(3).fill('skipped not_confirmed'));
    });

    // spec: docs/contract.md#campaign-recipients: who joins later is no recipient
    it('leaves out members who joined after the start', async () => {
      const prepared = await prepare(subject);
      await start(subject, prepared);
      const { workspaceId, audienceId } = prepared.campaign;
      const joiner = { contact: aContact(workspaceId) };
      await subject.stores.audiences.join(workspaceId, audienceId, joiner, TEST_START + 1);
      // One whose contact is older than the last member at the start.
      const old = await subject.stores.audiences.join(
        workspaceId,
        audienceId,
        { contactId: prepared.sender.contact.id },
        TEST_START + 1,
      );
      expect(old.kind).toBe('joined');
      expect(await expandAll(subject, prepared.campaign)).toBe(3);
    });

    it('makes no row twice when several do it at once, and goes on after a crash', async () => {
      const prepared = await prepare(subject, { members: 12 });
      await start(subject, prepared);
      await atOnce(4, () => subject.stores.campaignRuns.expand(prepared.campaign, 2));
      await subject.crash();
      await expandAll(subject, prepared.campaign, 5);
      expect(await recipients(prepared.campaign)).toHaveLength(12);
      expect((await progressOf(subject, prepared.campaign)).counts).toMatchObject({ recipients: 12, pending: 12 });
    });

    it('does nothing for a draft or a paused campaign', async () => {
      const prepared = await prepare(subject);
      const { campaign } = prepared;
      const { campaignRuns } = subject.stores;
      expect(await campaignRuns.expand(campaign, 10)).toBe(0);
      await start(subject, prepared);
      await campaignRuns.move(campaign, { kind: 'pause', reason: null }, TEST_START);
      expect(await campaignRuns.expand(campaign, 10)).toBe(0);
      expect((await progressOf(subject, campaign)).expanded).toBe(false);
    });
  });

  describe('feed', () => {
    // spec: docs/contract.md#campaign-recipients: channel `app`, ids and content of the campaign
    it('makes a message of each row, with the content of the campaign', async () => {
      const { campaign, members, sender } = await running(subject, {
        campaign: {
          preheader: 'Hari ini',
          fromName: 'Toko',
          fromEmail: 'promo@contoh.test',
          replyTo: 'balas@contoh.test',
        },
      });
      const messages = await messagesOf(subject, campaign);
      expect(messages).toHaveLength(3);
      expect(at(messages, 0)).toMatchObject({
        id: campaignMessageId({ id: campaign.id, sentAt: TEST_START }, at(members, 0).id),
        channel: 'app',
        lane: 'campaign',
        campaignId: campaign.id,
        contactId: at(members, 0).id,
        domainId: sender.domain.id,
        to: at(members, 0).email,
        subject: campaign.subject,
        fromName: 'Toko',
        fromEmail: 'promo@contoh.test',
        replyTo: 'balas@contoh.test',
        status: 'queued',
        dueAt: TEST_START,
      });
      const job = present(await subject.stores.messages.job(at(messages, 0).id));
      expect(job.body).toEqual({ html: campaign.html, text: null, isShared: true });
      expect((await subject.stores.messages.job(at(messages, 1).id))?.body).toBe(job.body);
      expect(job.preheader).toBe('Hari ini');
      expect(job.contact?.id).toBe(at(members, 0).id);
      const large = present(await subject.stores.messages.job(at(messages, 0).id, 3));
      expect(large).toMatchObject({ body: null, withheld: { body: present(campaign.html).length, attachments: 0 } });
      expect(await progressOf(subject, campaign)).toMatchObject({
        waitingRows: 0,
        queued: 3,
        counts: { recipients: 3, pending: 3 },
      });
    });

    it('sends by default from no-reply at the domain and in the name of the business', async () => {
      const { campaign, sender } = await running(subject);
      expect(at(await messagesOf(subject, campaign), 0)).toMatchObject({
        fromEmail: `no-reply@${sender.domain.domain}`,
        fromName: sender.workspace.businessName,
      });
    });

    // spec: docs/contract.md#campaign-recipients: none is made twice
    it('makes no message twice when several do it at once, and goes on after a crash', async () => {
      const prepared = await prepare(subject, { members: 12 });
      const { campaign } = prepared;
      await start(subject, prepared);
      await expandAll(subject, campaign);
      await atOnce(4, () => subject.stores.campaignRuns.feed(campaign, 2, TEST_START));
      await subject.crash();
      await feedAll(subject, campaign, 5);
      const ids = (await messagesOf(subject, campaign)).map(({ id }) => id);
      expect(new Set(ids).size).toBe(12);
      expect((await progressOf(subject, campaign)).queued).toBe(12);
    });

    // spec: docs/contract.md#campaign-recipients: deleted before its turn
    it('skips a contact that was deleted since', async () => {
      const prepared = await prepare(subject);
      const { campaign, members } = prepared;
      await start(subject, prepared);
      await expandAll(subject, campaign);
      await subject.stores.contacts.delete(campaign.workspaceId, at(members, 1).id);
      await feedAll(subject, campaign);
      expect(at(await recipients(campaign), 1)).toEqual({
        contactId: at(members, 1).id,
        email: null,
        status: 'skipped',
        reason: 'deleted',
        messageId: null,
      });
      expect((await progressOf(subject, campaign)).counts).toMatchObject({ recipients: 3, skipped: 1, pending: 2 });
    });

    it('does nothing for a paused campaign', async () => {
      const prepared = await prepare(subject);
      await start(subject, prepared);
      await expandAll(subject, prepared.campaign);
      await subject.stores.campaignRuns.move(prepared.campaign, { kind: 'pause', reason: null }, TEST_START);
      expect(await feedAll(subject, prepared.campaign)).toBe(0);
    });
  });

  describe('recipients and progress', () => {
    it('come in pages, and only of the own workspace', async () => {
      const { campaign, members } = await running(subject);
      const page = await subject.stores.campaignRuns.recipients(campaign, at(members, 0).id, 1);
      expect(page.map(({ contactId }) => contactId)).toEqual([at(members, 1).id]);
      const { workspace } = await createSender(subject.stores);
      const theirs = { workspaceId: workspace.id, id: campaign.id };
      expect(await subject.stores.campaignRuns.recipients(theirs, 0, 10)).toEqual([]);
      expect(await subject.stores.campaignRuns.progress(theirs)).toBeNull();
    });
  });
}
