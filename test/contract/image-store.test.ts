import { describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Image } from '../../domain/images/image';
import { createSender } from '../support/builders';
import { TEST_START } from '../support/clock';
import { aCampaign, aJourney } from '../support/marketing';
import { onEveryDriver } from './drivers';
import { sharedEngine, type OpenEngine } from './harness';
import { atOnce } from './helpers';

const QUOTA = { count: 3, bytes: 1_000 };
const content = new Uint8Array([0, 255, 1, 128]);

/** The ImageStore behaviour required of every driver. */
function describeImageStore(open: OpenEngine): void {
  describe('ImageStore', () => {
    const subject = sharedEngine(open);
    const newWorkspace = async () => (await createSender(subject.stores)).workspace.id;
    const anImage = (workspaceId: number, change: Partial<Image> = {}): Image => ({
      id: randomBytes(16).toString('hex'),
      workspaceId,
      name: 'Foto\0 "a".png',
      type: 'image/png',
      size: 100,
      width: 640,
      height: 480,
      createdAt: TEST_START,
      ...change,
    });

    it('answers an image with its bytes, also after a crash', async () => {
      const image = anImage(await newWorkspace());
      expect(await subject.stores.images.add(image, content, QUOTA)).toEqual(image);
      await subject.crash();
      const kept = await subject.stores.images.content(image.id);
      expect(kept?.image).toEqual(image);
      expect(Buffer.from(kept!.content)).toEqual(Buffer.from(content));
      expect(await subject.stores.images.content('0'.repeat(32))).toBeNull();
    });

    it('keeps the one that is there, whatever is added under its id', async () => {
      const image = anImage(await newWorkspace());
      await subject.stores.images.add(image, content, QUOTA);
      const again = { ...image, name: 'lain.png', createdAt: TEST_START + 1 };
      expect(await subject.stores.images.add(again, content, QUOTA)).toEqual(image);
      expect(await subject.stores.images.list(image.workspaceId)).toEqual([image]);
    });

    it('lists those of the workspace, the newest first', async () => {
      const [ours, theirs] = [await newWorkspace(), await newWorkspace()];
      for (const at of [2, 3, 1]) await subject.stores.images.add(anImage(ours, { createdAt: at }), content, QUOTA);
      await subject.stores.images.add(anImage(theirs), content, QUOTA);
      expect((await subject.stores.images.list(ours)).map(({ createdAt }) => createdAt)).toEqual([3, 2, 1]);
    });

    it('adds nothing beyond the quota, in number and in bytes; what is deleted makes room', async () => {
      const ours = await newWorkspace();
      const large = anImage(ours, { size: 900 });
      expect(await subject.stores.images.add(large, content, QUOTA)).toEqual(large);
      expect(await subject.stores.images.add(anImage(ours, { size: 101 }), content, QUOTA)).toBeNull();
      expect(await subject.stores.images.add(anImage(ours, { size: 50 }), content, QUOTA)).not.toBeNull();
      expect(await subject.stores.images.add(anImage(ours, { size: 50 }), content, QUOTA)).not.toBeNull();
      expect(await subject.stores.images.add(anImage(ours, { size: 0 }), content, QUOTA)).toBeNull();
      expect(await subject.stores.images.add(large, content, QUOTA)).toEqual(large);
      expect(await subject.stores.images.delete(ours, large.id)).toBe(true);
      expect(await subject.stores.images.add(anImage(ours, { size: 900 }), content, QUOTA)).not.toBeNull();
    });

    it('holds the quota for many at once', async () => {
      const ours = await newWorkspace();
      const added = await atOnce(8, () => subject.stores.images.add(anImage(ours), content, QUOTA));
      expect(added.filter(Boolean)).toHaveLength(QUOTA.count);
      expect(await subject.stores.images.list(ours)).toHaveLength(QUOTA.count);
    });

    it('names a campaign, a template or a journey of the workspace that uses it', async () => {
      const { stores } = subject;
      const sender = await createSender(stores);
      const theirs = await createSender(stores);
      const ours = sender.workspace.id;
      const image = anImage(ours);
      const html = `<img src="https://mail.test/i/${image.id}.png">\0`;
      await stores.campaigns.create(aCampaign(theirs, 7, { html }));
      await stores.campaigns.create(aCampaign(sender, 7, { html: null }));
      expect(await stores.images.usedBy(ours, image.id)).toBeNull();
      const mail = { kind: 'email', subject: 'Halo', html, text: null, domainId: sender.domain.id } as const;
      const journey = await stores.journeys.create(aJourney(ours, { steps: [mail] }));
      expect(await stores.images.usedBy(ours, image.id)).toEqual({ kind: 'journey', id: journey.id });
      const named = { workspaceId: ours, name: 'x', subject: 'x', html, text: null, variables: [], createdAt: 1 };
      const template = await stores.templates.create(named);
      expect(await stores.images.usedBy(ours, image.id)).toEqual({ kind: 'template', id: template.id });
      const campaign = await stores.campaigns.create(aCampaign(sender, 7, { html }));
      expect(await stores.images.usedBy(ours, image.id)).toEqual({ kind: 'campaign', id: campaign.id });
    });

    it('deletes for its workspace only, with its bytes', async () => {
      const image = anImage(await newWorkspace());
      await subject.stores.images.add(image, content, QUOTA);
      expect(await subject.stores.images.delete(await newWorkspace(), image.id)).toBe(false);
      expect(await subject.stores.images.content(image.id)).not.toBeNull();
      expect(await subject.stores.images.delete(image.workspaceId, image.id)).toBe(true);
      expect(await subject.stores.images.delete(image.workspaceId, image.id)).toBe(false);
      expect(await subject.stores.images.content(image.id)).toBeNull();
      expect(await subject.stores.images.list(image.workspaceId)).toEqual([]);
    });
  });
}

onEveryDriver(describeImageStore);
