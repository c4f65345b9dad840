import { describe, expect, it } from '@jest/globals';
import { UnavailableError } from '../../../lib/errors';
import { TEST_START } from '../../support/clock';
import { aContact } from '../../support/builders';
import { sharedEngine, type OpenEngine } from '../harness';
import { at, atOnce } from '../helpers';
import { expandAll, feedAll, prepare, progressOf, start, type Prepared } from './support';

/** What a caller does who is told that others write the same at the moment. */
async function untilAvailable<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error instanceof UnavailableError)) throw error;
    }
  }
}

/** The recipients are those of the start, whoever is deleted or removed while they are being listed. */
export function describeRemoved(open: OpenEngine): void {
  const subject = sharedEngine(open);
  const recipients = (campaign: { workspaceId: number; id: number }) =>
    subject.stores.campaignRuns.recipients(campaign, 0, 1_000);
  const leave = ({ campaign, members }: Prepared, n: number): Promise<boolean | null> =>
    subject.stores.audiences.leave(campaign.workspaceId, campaign.audienceId, at(members, n).id, TEST_START + 1);
  const remove = ({ campaign, members }: Prepared, n: number): Promise<boolean> =>
    subject.stores.contacts.delete(campaign.workspaceId, at(members, n).id);
  const counted = async ({ campaign }: Prepared): Promise<number> => {
    const { recipients: all, ...others } = (await progressOf(subject, campaign)).counts;
    expect(Object.values(others).reduce((sum, n) => sum + n, 0)).toBe(all);
    return all;
  };
  const addsUp = async (prepared: Prepared): Promise<number> => {
    const all = await counted(prepared);
    expect(await recipients(prepared.campaign)).toHaveLength(all);
    return all;
  };
  /** The same while others write: rows are read between two counts, and none goes away. */
  const addsUpMeanwhile = async (prepared: Prepared): Promise<void> => {
    const before = await counted(prepared);
    const { length } = await recipients(prepared.campaign);
    expect(length).toBeGreaterThanOrEqual(before);
    expect(length).toBeLessThanOrEqual(await counted(prepared));
  };

  describe('members who are deleted or removed while the recipients are being listed', () => {
    // spec: docs/contract.md#campaign-recipients: deleted or removed while the recipients are being listed
    it('have a row with the reason, and nobody else is lost or sent less', async () => {
      const prepared = await prepare(subject, { members: 10 });
      const { campaign, members } = prepared;
      await start(subject, prepared);
      await subject.stores.campaignRuns.expand(campaign, 3);
      await subject.stores.campaignRuns.feed(campaign, 2, TEST_START);
      for (const [n, how] of [
        [1, leave],
        [4, leave],
        [5, remove],
        [9, remove],
      ] as const) {
        await how(prepared, n);
        await addsUp(prepared);
      }
      await feedAll(subject, campaign);
      await addsUp(prepared);
      await subject.crash();
      await expandAll(subject, campaign, 3);
      await feedAll(subject, campaign);
      expect(await addsUp(prepared)).toBe(10);
      const rows = await recipients(campaign);
      expect(rows.map(({ contactId }) => contactId)).toEqual(members.map(({ id }) => id));
      expect(rows.map(({ status, reason }) => reason ?? status)).toEqual(
        // The one that was listed before it left stays a recipient.
        ['queued', 'queued', 'queued', 'queued', 'removed', 'deleted', 'queued', 'queued', 'queued', 'deleted'],
      );
      expect(rows.map(({ email }) => email)).toEqual(
        members.map(({ email }, n) => (n === 5 || n === 9 ? null : email)),
      );
      expect(await progressOf(subject, campaign)).toMatchObject({
        expanded: true,
        waitingRows: 0,
        counts: { recipients: 10, skipped: 3, pending: 7 },
      });
    });

    it('are passed when messages are made, and are not counted as messages', async () => {
      const prepared = await prepare(subject, { members: 4 });
      const { campaign } = prepared;
      await start(subject, prepared);
      await expandAll(subject, campaign);
      await remove(prepared, 1);
      const feed = () => subject.stores.campaignRuns.feed(campaign, 3, TEST_START);
      expect([await feed(), await feed(), await feed()]).toEqual([
        { rows: 3, accepted: 2 },
        { rows: 1, accepted: 1 },
        { rows: 0, accepted: 0 },
      ]);
    });

    it('have it also when the campaign is paused, and in every campaign of the audience', async () => {
      const prepared = await prepare(subject, { members: 4 });
      const { campaign } = prepared;
      const { id: _id, ...content } = campaign;
      const second = await subject.stores.campaigns.create(content);
      const draft = await subject.stores.campaigns.create(content);
      await start(subject, prepared);
      await start(subject, { ...prepared, campaign: second });
      await subject.stores.campaignRuns.move(campaign, { kind: 'pause', reason: null }, TEST_START);
      await remove(prepared, 0);
      await leave(prepared, 3);
      await subject.stores.campaignRuns.move(campaign, { kind: 'resume' }, TEST_START);
      for (const each of [campaign, second]) {
        await expandAll(subject, each);
        expect((await recipients(each)).map(({ reason }) => reason)).toEqual(['deleted', null, null, 'removed']);
      }
      expect(await recipients(draft)).toEqual([]);
      expect(await subject.stores.campaigns.get(draft.workspaceId, draft.id)).toMatchObject({ status: 'draft' });
    });

    it('have it when the campaign is cancelled meanwhile', async () => {
      const prepared = await prepare(subject, { members: 6 });
      const { campaign } = prepared;
      await start(subject, prepared);
      await subject.stores.campaignRuns.expand(campaign, 2);
      await leave(prepared, 4);
      await subject.stores.campaignRuns.move(campaign, { kind: 'cancel' }, TEST_START);
      for (let n = 1; n > 0;) n = (await subject.stores.campaignRuns.settle(campaign, 1, TEST_START)).settled;
      await expandAll(subject, campaign, 2);
      for (let n = 1; n > 0;) n = (await subject.stores.campaignRuns.settle(campaign, 1, TEST_START)).settled;
      expect(await addsUp(prepared)).toBe(6);
      expect((await progressOf(subject, campaign)).counts).toMatchObject({ failed: 5, skipped: 1, pending: 0 });
    });

    it('who join again are not listed twice, and do not receive it', async () => {
      const prepared = await prepare(subject, { members: 4 });
      const { campaign, members } = prepared;
      const { workspaceId, audienceId } = campaign;
      await start(subject, prepared);
      await leave(prepared, 1);
      const again = { contactId: at(members, 1).id };
      // At the very time of the start, as a clock that stands still shows it.
      await subject.stores.audiences.join(workspaceId, audienceId, again, TEST_START);
      await leave(prepared, 1);
      await subject.stores.audiences.join(workspaceId, audienceId, again, TEST_START);
      expect(await expandAll(subject, campaign, 2)).toBe(3);
      expect(await addsUp(prepared)).toBe(4);
      expect((await recipients(campaign)).map(({ reason }) => reason)).toEqual([null, 'removed', null, null]);
    });

    it('but joined after the start, or left before it, have none', async () => {
      const prepared = await prepare(subject, { members: 4 });
      const { campaign } = prepared;
      const { workspaceId, audienceId } = campaign;
      await leave(prepared, 3);
      await remove(prepared, 0);
      const { stores } = subject;
      const old = prepared.sender.contact.id;
      await start(subject, prepared);
      const joined = await stores.audiences.join(
        workspaceId,
        audienceId,
        { contact: aContact(workspaceId) },
        TEST_START + 1,
      );
      await stores.audiences.join(workspaceId, audienceId, { contactId: old }, TEST_START + 1);
      if (joined.kind !== 'joined') throw new Error(joined.kind);
      await stores.audiences.leave(workspaceId, audienceId, joined.contact.id, TEST_START + 2);
      await stores.audiences.leave(workspaceId, audienceId, old, TEST_START + 2);
      await expandAll(subject, campaign);
      expect(await addsUp(prepared)).toBe(2);
    });

    it('at the same moment as pages are listed and fed are all there', async () => {
      const prepared = await prepare(subject, { members: 40 });
      const { campaign } = prepared;
      await start(subject, prepared);
      const removals = Array.from({ length: 20 }, (_, n) =>
        untilAvailable(() => (n % 2 ? leave : remove)(prepared, n * 2)),
      );
      const listing = (async () => {
        for (let n = 0; n < 20; n += 1) {
          await subject.stores.campaignRuns.expand(campaign, 2);
          await subject.stores.campaignRuns.feed(campaign, 3, TEST_START);
          await addsUpMeanwhile(prepared);
        }
      })();
      await Promise.all([...removals, listing]);
      await atOnce(2, () => expandAll(subject, campaign, 5));
      await feedAll(subject, campaign, 7);
      expect(await addsUp(prepared)).toBe(40);
      expect(await progressOf(subject, campaign)).toMatchObject({ expanded: true, waitingRows: 0 });
    });

    it('as the campaign starts are recipients, or were removed before it', async () => {
      const prepared = await prepare(subject, { members: 12 });
      const { campaign } = prepared;
      const gone = Promise.all(Array.from({ length: 10 }, (_, n) => (n % 2 ? leave : remove)(prepared, n)));
      await start(subject, prepared);
      const there = new Set<number>();
      const { items } = (await subject.stores.audiences.members(campaign.workspaceId, campaign.audienceId, {
        offset: 0,
        limit: 100,
      }))!;
      for (const { contact } of items) there.add(contact.id);
      await gone;
      await expandAll(subject, campaign, 5);
      const listed = new Set((await recipients(campaign)).map(({ contactId }) => contactId));
      expect([...there].filter((id) => !listed.has(id))).toEqual([]);
      await addsUp(prepared);
    });
  });
}
