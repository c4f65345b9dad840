import { describe, expect, it } from '@jest/globals';
import { createSender } from '../support/builders';
import { CAMPAIGN_STATUSES, contentOf } from '../../domain/campaigns/campaign';
import type { CampaignQuery } from '../../stores/ports/campaign-store';
import { aCampaign } from '../support/marketing';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { inTurn } from './helpers';

const UNKNOWN = 999_999_999;

/** The CampaignStore behaviour required of every driver. */
function describeCampaignStore(open: OpenEngine): void {
  describe('CampaignStore', () => {
    const subject = sharedEngine(open);
    const newSender = () => createSender(subject.stores);

    it('answers a campaign as it was stored, also after a crash', async () => {
      const given = aCampaign(await newSender(), 7, {
        subject: 'Promo \0 "akhir" tahun 🌸',
        html: `<p>${'x'.repeat(400_000)}\0</p>`,
        blocks: [{ kind: 'columns', columns: [[{ kind: 'heading', text: 'Halo' }], [{ kind: 'divider' }]] }],
        approval: { state: 'asked', by: 'siti@contoh.test', at: 5 },
        text: 'Halo',
        preheader: 'Hanya hari ini',
        fromEmail: 'promo@contoh.test',
        fromName: 'Toko Melati',
        replyTo: 'balas@contoh.test',
      });
      const created = await subject.stores.campaigns.create(given);
      expect(created).toEqual({ ...given, id: created.id });
      await subject.crash();
      expect(await subject.stores.campaigns.get(given.workspaceId, created.id)).toEqual(created);
    });

    it('keeps what has no content yet', async () => {
      const given = aCampaign(await newSender(), 7, { html: null });
      const created = await subject.stores.campaigns.create(given);
      expect(await subject.stores.campaigns.get(given.workspaceId, created.id)).toEqual({ ...given, id: created.id });
    });

    // docs/campaigns.md#blocks: a draft is kept whatever is missing
    it('keeps a draft whose blocks are not complete, when it is made and when it is edited', async () => {
      const blocks = [
        { kind: 'heading', text: '' },
        { kind: 'button', label: 'Beli', url: 'javascript:' },
        { kind: 'columns', columns: [[], [{ kind: 'image', url: '', alt: '' }]] },
        { kind: 'text' } as unknown as { kind: 'text'; text: string },
      ] as const;
      const given = aCampaign(await newSender(), 7, { html: null, blocks });
      const created = await subject.stores.campaigns.create(given);
      const kept = (): Promise<unknown> => subject.stores.campaigns.get(given.workspaceId, created.id);
      await subject.crash();
      expect(await kept()).toEqual({ ...given, id: created.id });
      const edited = (content: typeof given.blocks) =>
        subject.stores.campaigns.edit(given.workspaceId, created.id, { ...contentOf(given), blocks: content }, null);
      await edited([]);
      expect(await kept()).toEqual({ ...given, id: created.id, blocks: [] });
      await edited(blocks);
      expect(await kept()).toEqual({ ...given, id: created.id });
    });

    it('lists those of the workspace, newest first, without their content', async () => {
      const sender = await newSender();
      await subject.stores.campaigns.create(aCampaign(await newSender(), 7));
      const created = await inTurn(3, () => subject.stores.campaigns.create(aCampaign(sender, 7)));
      const items = created.map(({ html: _html, blocks: _blocks, text: _text, ...item }) => item);
      expect(await subject.stores.campaigns.list(sender.workspace.id)).toEqual(items.reverse());
      expect(await subject.stores.campaigns.list(UNKNOWN)).toEqual([]);
    });

    it('lists them by pages, and those that wait for approval', async () => {
      const sender = await newSender();
      const approval = { state: 'asked', by: 'siti@contoh.test', at: 5 } as const;
      const others = [{}, { approval }, { approval: { ...approval, state: 'given' as const } }];
      const [plain, asked, given] = await Promise.all(
        others.map(async (more) => (await subject.stores.campaigns.create(aCampaign(sender, 7, more))).id),
      );
      const scheduled = aCampaign(sender, 7, { approval, status: 'scheduled', scheduledAt: 5 });
      const all = [plain!, asked!, given!, (await subject.stores.campaigns.create(scheduled)).id].sort((a, b) => b - a);
      const listed = async (query: CampaignQuery): Promise<number[]> =>
        (await subject.stores.campaigns.list(sender.workspace.id, query)).map(({ id }) => id);
      expect(await listed({ limit: 2 })).toEqual(all.slice(0, 2));
      expect(await listed({ limit: 5, before: all[1]! })).toEqual(all.slice(2));
      expect(await listed({ asked: true, limit: 5 })).toEqual([asked]);
      expect(await listed({ asked: true, before: asked! })).toEqual([]);
    });

    it('answers no campaign of another workspace, or of nobody', async () => {
      const theirs = await subject.stores.campaigns.create(aCampaign(await newSender(), 7));
      const { workspace } = await newSender();
      expect(await subject.stores.campaigns.get(workspace.id, theirs.id)).toBeNull();
      expect(await subject.stores.campaigns.get(theirs.workspaceId, UNKNOWN)).toBeNull();
    });

    const CONTENT = {
      audienceId: 8,
      domainId: 9,
      subject: 'Promo baru 🌸',
      html: `<p>${'y'.repeat(100_000)}</p>`,
      blocks: [{ kind: 'text', text: 'y \0 🌸' }] as const,
      text: null,
      preheader: 'Besok saja',
      fromEmail: 'baru@contoh.test',
      fromName: 'Toko Mawar',
      replyTo: null,
    };
    const made = async (...overrides: Parameters<typeof aCampaign>[2][]) => {
      const sender = await newSender();
      return inTurn(overrides.length, (n) => subject.stores.campaigns.create(aCampaign(sender, 7, overrides[n])));
    };

    // spec: docs/contract.md#prepare-a-campaign: drafts and scheduled ones may be edited, until they start
    it.each(['draft', 'scheduled'] as const)('edits a %s one: all of its content, and nothing else', async (status) => {
      const [edited, other] = await made({ status, text: 'Halo', scheduledAt: 5 }, { status });
      const { workspaceId, id } = edited!;
      const expected = { ...edited, ...CONTENT };
      expect(await subject.stores.campaigns.edit(workspaceId, id, CONTENT, null)).toEqual({
        kind: 'edited',
        campaign: expected,
      });
      await subject.crash();
      expect(await subject.stores.campaigns.get(workspaceId, id)).toEqual(expected);
      expect(await subject.stores.campaigns.get(workspaceId, other!.id)).toEqual(other);
    });

    const GIVEN = { state: 'given', by: 'pemilik@contoh.test', at: 9 } as const;

    it.each(['draft', 'scheduled'] as const)('keeps an approval of a %s one until the next edit', async (status) => {
      const [campaign] = await made({ status, text: 'Halo' });
      const { workspaceId, id } = campaign!;
      const approved = { ...campaign!, approval: GIVEN };
      expect(await subject.stores.campaigns.approve(workspaceId, id, campaign!, GIVEN)).toEqual({
        kind: 'edited',
        campaign: approved,
      });
      await subject.crash();
      expect(await subject.stores.campaigns.get(workspaceId, id)).toEqual(approved);
      await subject.stores.campaigns.edit(workspaceId, id, CONTENT, null);
      expect(await subject.stores.campaigns.get(workspaceId, id)).toEqual({ ...campaign, ...CONTENT });
    });

    it('approves no content but the one that is given', async () => {
      const [campaign, live] = await made({}, { status: 'live' });
      const { workspaceId, id } = campaign!;
      const { campaigns } = subject.stores;
      for (const other of [{ html: '<p>lain</p>' }, { subject: 'Lain' }, { text: 'lain' }, { audienceId: 99 }]) {
        const seen = { ...campaign!, ...other };
        expect(await campaigns.approve(workspaceId, id, seen, GIVEN)).toEqual({ kind: 'changed' });
      }
      expect(await campaigns.get(workspaceId, id)).toEqual(campaign);
      expect(await campaigns.approve(workspaceId, live!.id, live!, GIVEN)).toEqual({ kind: 'refused', status: 'live' });
      expect(await campaigns.approve(workspaceId, UNKNOWN, campaign!, GIVEN)).toEqual({ kind: 'unknown' });
      const { workspace } = await newSender();
      expect(await campaigns.approve(workspace.id, id, campaign!, GIVEN)).toEqual({ kind: 'unknown' });
    });

    // spec: docs/contract.md#prepare-a-campaign: no other may be edited or deleted
    it.each(['live', 'paused', 'completed'] as const)('edits and deletes no %s one', async (status) => {
      const [campaign] = await made({ status });
      const { workspaceId, id } = campaign!;
      const refused = { kind: 'refused', status };
      expect(await subject.stores.campaigns.edit(workspaceId, id, CONTENT, null)).toEqual(refused);
      expect(await subject.stores.campaigns.delete(workspaceId, id)).toEqual(refused);
      expect(await subject.stores.campaigns.get(workspaceId, id)).toEqual(campaign);
    });

    // spec: docs/contract.md#prepare-a-campaign: only drafts are deleted
    it('deletes drafts only, and only the one that is meant', async () => {
      const [draft, other, scheduled] = await made({}, {}, { status: 'scheduled' });
      const { workspaceId, id } = draft!;
      expect(await subject.stores.campaigns.delete(workspaceId, id)).toEqual({ kind: 'deleted' });
      await subject.crash();
      expect(await subject.stores.campaigns.delete(workspaceId, id)).toEqual({ kind: 'unknown' });
      expect(await subject.stores.campaigns.edit(workspaceId, id, CONTENT, null)).toEqual({ kind: 'unknown' });
      expect(await subject.stores.campaigns.delete(workspaceId, scheduled!.id)).toEqual({
        kind: 'refused',
        status: 'scheduled',
      });
      const kept = await subject.stores.campaigns.list(workspaceId);
      expect(kept.map((campaign) => campaign.id)).toEqual([scheduled!.id, other!.id]);
    });

    it.each(CAMPAIGN_STATUSES)('neither edits nor deletes a %s one of another workspace', async (status) => {
      const [theirs] = await made({ status });
      const { workspace } = await newSender();
      expect(await subject.stores.campaigns.edit(workspace.id, theirs!.id, CONTENT, null)).toEqual({ kind: 'unknown' });
      expect(await subject.stores.campaigns.delete(workspace.id, theirs!.id)).toEqual({ kind: 'unknown' });
      expect(await subject.stores.campaigns.get(theirs!.workspaceId, theirs!.id)).toEqual(theirs);
    });
  });
}

onEveryDriver(describeCampaignStore);
