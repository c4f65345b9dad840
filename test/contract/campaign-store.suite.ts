import { describe, expect, it } from '@jest/globals';
import { createSender } from '../support/builders';
import { aCampaign } from '../support/marketing';
import { sharedEngine, type OpenEngine } from './harness';
import { inTurn } from './helpers';

const UNKNOWN = 999_999_999;

/** The CampaignStore behaviour required of every driver. */
export function describeCampaignStore(open: OpenEngine): void {
  describe('CampaignStore', () => {
    const subject = sharedEngine(open);
    const newSender = () => createSender(subject.stores);

    it('answers a campaign as it was stored, also after a crash', async () => {
      const given = aCampaign(await newSender(), 7, {
        subject: 'Promo \0 "akhir" tahun 🌸',
        html: `<p>${'x'.repeat(400_000)}\0</p>`,
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

    it('lists those of the workspace, newest first, without their content', async () => {
      const sender = await newSender();
      await subject.stores.campaigns.create(aCampaign(await newSender(), 7));
      const created = await inTurn(3, () => subject.stores.campaigns.create(aCampaign(sender, 7)));
      const items = created.map(({ html: _html, text: _text, ...item }) => item);
      expect(await subject.stores.campaigns.list(sender.workspace.id)).toEqual(items.reverse());
      expect(await subject.stores.campaigns.list(UNKNOWN)).toEqual([]);
    });

    it('answers no campaign of another workspace, or of nobody', async () => {
      const theirs = await subject.stores.campaigns.create(aCampaign(await newSender(), 7));
      const { workspace } = await newSender();
      expect(await subject.stores.campaigns.get(workspace.id, theirs.id)).toBeNull();
      expect(await subject.stores.campaigns.get(theirs.workspaceId, UNKNOWN)).toBeNull();
    });
  });
}
