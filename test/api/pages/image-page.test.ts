import { describe, expect, it } from '@jest/globals';
import { IMAGE_QUOTA, imageId, type Image } from '../../../domain/images/image';
import { openTemporary } from '../../contract/embedded/open';
import { sharedEngine } from '../../contract/harness';
import { TEST_KEYRING } from '../../support/builders';
import { SAMPLE_IMAGES } from '../../support/images';
import { pagesApp } from './pages-app';

const subject = sharedEngine(openTemporary);

async function kept(n = 0): Promise<{ image: Image; bytes: Buffer }> {
  const [name, type, bytes] = SAMPLE_IMAGES[n]!;
  const id = imageId(TEST_KEYRING, 1, bytes);
  const image = { id, workspaceId: 1, name, type, size: bytes.length, width: 3, height: 2, createdAt: 1 };
  await subject.stores.images.add(image, bytes, IMAGE_QUOTA);
  return { image, bytes };
}

describe('GET /i/<id>.<ending>', () => {
  // docs/campaigns.md#images: served from the public host
  it('shows the image byte for byte, to be kept for ever and taken for nothing else', async () => {
    const { image, bytes } = await kept();
    const { body, headers } = await pagesApp(subject).get(`/i/${image.id}.png`).buffer().expect(200);
    expect(Buffer.compare(body as Buffer, bytes)).toBe(0);
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cross-origin-resource-policy': 'cross-origin',
    });
    const head = await pagesApp(subject).head(`/i/${image.id}.png`).expect(200);
    expect(head.headers['content-length']).toBe(String(bytes.length));
  });

  it.each([
    [1, 'jpg', 'image/jpeg'],
    [3, 'gif', 'image/gif'],
    [5, 'webp', 'image/webp'],
  ])('has the type of the image: %i, %s', async (n, ending, type) => {
    const { image } = await kept(n);
    const { headers } = await pagesApp(subject).get(`/i/${image.id}.${ending}`).expect(200);
    expect(headers['content-type']).toBe(type);
  });

  it('is not found under any other address, and takes no other method', async () => {
    const { image } = await kept();
    const others = [
      '',
      `${image.id}`,
      `${image.id}.jpg`,
      `${image.id}.PNG`,
      `${image.id}.png.html`,
      `${image.id}x.png`,
    ];
    for (const file of [...others, `${'0'.repeat(32)}.png`, `${image.id}.png/x`]) {
      const { headers } = await pagesApp(subject).get(`/i/${file}`).expect(404);
      expect(headers['cache-control']).toBe('no-store');
    }
    const { headers } = await pagesApp(subject).post(`/i/${image.id}.png`).expect(405);
    expect(headers['allow']).toBe('GET, HEAD');
  });

  it('has another address in another workspace, and the same one for the same content', () => {
    const [, , bytes] = SAMPLE_IMAGES[0]!;
    expect(imageId(TEST_KEYRING, 1, bytes)).toBe(imageId(TEST_KEYRING, 1, Buffer.from(bytes)));
    expect(imageId(TEST_KEYRING, 2, bytes)).not.toBe(imageId(TEST_KEYRING, 1, bytes));
  });
});
