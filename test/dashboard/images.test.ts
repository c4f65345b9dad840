import { beforeAll, describe, expect, it } from '@jest/globals';
import { IMAGE_QUOTA, imageId, MAX_BYTES, olderImageId } from '../../domain/images/image';
import { SAMPLE_IMAGES, SAMPLE_PNG } from '../support/images';
import { aCampaign } from '../support/marketing';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/images';
const file = (bytes: Buffer | string, name = 'foto.png'): File =>
  new File([new Uint8Array(Buffer.from(bytes))], name, { type: 'image/png' });

describe('the images of the dashboard', () => {
  const subject = dashboarded();
  let editor: Visitor;
  let viewer: Visitor;
  let elsewhere: Visitor;
  let other: number;
  beforeAll(async () => {
    const { stores } = subject.service;
    other = (await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Lain' })).id;
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    elsewhere = await subject.person('lain@toko.example', { [other]: 'owner' });
  });
  const kept = () => subject.service.stores.images.list(1);

  it('are kept, listed with their addresses, and shown to anybody under those', async () => {
    expect((await editor.get(PAGE)).html).toContain('multipart/form-data');
    const sent = await editor.upload(PAGE, {}, { file: file(SAMPLE_PNG, '"><b>.png') });
    expect(sent).toMatchObject({ status: 303, location: PAGE });
    const [image] = await kept();
    expect(image).toMatchObject({ name: '"><b>.png', type: 'image/png', width: 3, height: 2, size: SAMPLE_PNG.length });
    const { html, headers } = await viewer.get(PAGE);
    const url = `${subject.origin}/i/${image!.id}.png`;
    expect(html).toContain(`src="${url}"`);
    expect(html).not.toMatch(/"><b>|type="file"/);
    expect(headers.get('content-security-policy')).toContain(`img-src 'self' data: ${subject.origin};`);
    const answer = await fetch(url);
    expect(Buffer.from(await answer.arrayBuffer())).toEqual(SAMPLE_PNG);
    expect((await viewer.upload(PAGE, {}, { file: file(SAMPLE_PNG) })).status).toBe(404);
  });

  it('that were kept under an id of a release before keep it: mails that were sent show it', async () => {
    const [, , bytes] = SAMPLE_IMAGES[1]!;
    const { keyring } = subject.service.kurir.services;
    const id = olderImageId(keyring, other, bytes);
    const image = { id, workspaceId: other, name: 'lama.jpg', type: 'image/jpeg', size: bytes.length } as const;
    await subject.service.stores.images.add({ ...image, width: 3, height: 2, createdAt: 1 }, bytes, IMAGE_QUOTA);
    const path = `/app/w/${other}/images`;
    expect((await elsewhere.upload(path, {}, { file: file(bytes, 'lagi.jpg') })).status).toBe(303);
    expect(await subject.service.stores.images.list(other)).toMatchObject([{ id, name: 'lama.jpg' }]);
    expect((await fetch(`${subject.origin}/i/${id}.jpg`)).status).toBe(200);
    await subject.service.stores.images.delete(other, id);
    await elsewhere.upload(path, {}, { file: file(bytes, 'lagi.jpg') });
    expect(await subject.service.stores.images.list(other)).toMatchObject([{ id: imageId(keyring, other, bytes) }]);
    await subject.service.stores.images.delete(other, imageId(keyring, other, bytes));
  });

  it('keep what is an image of a file, and nothing that stands behind it', async () => {
    const [, , gif] = SAMPLE_IMAGES[3]!;
    await editor.upload(
      PAGE,
      {},
      { file: file(Buffer.concat([gif, Buffer.from('<script>alert(1)</script>')]), 'a.html') },
    );
    const [image] = (await kept()).filter(({ type }) => type === 'image/gif');
    expect(image).toMatchObject({ name: 'a.html', size: gif.length });
    const { content } = (await subject.service.stores.images.content(image!.id))!;
    expect(Buffer.from(content)).toEqual(gif);
  });

  it.each<[string, File, string]>([
    ['no file', file(''), 'Choose a file.'],
    ['SVG', file('<svg xmlns="http://www.w3.org/2000/svg"/>', 'a.svg'), 'a.svg is not a PNG, JPEG, GIF or WebP image.'],
    ['HTML that calls itself an image', file('<script>'), 'foto.png is not a PNG, JPEG, GIF or WebP image.'],
    ['a part of an image', file(SAMPLE_PNG.subarray(0, 50)), 'foto.png is damaged or cut off.'],
    ['too much', file(Buffer.alloc(MAX_BYTES + 1)), 'foto.png has more than 2 MB.'],
    ['too many pixels', file(wide(5_001)), 'foto.png has 5001 x 2 pixels; the maximum is 5000 per side.'],
  ])('refuse %s', async (_, given, why) => {
    const before = await kept();
    const { status, html } = await editor.upload(PAGE, {}, { file: given });
    expect(status).toBe(422);
    expect(html).toContain(why);
    expect(await kept()).toEqual(before);
  });

  it('do not exist in another workspace', async () => {
    const [image] = await kept();
    expect((await elsewhere.get(PAGE)).status).toBe(404);
    const there = `/app/w/${other}/images`;
    expect((await elsewhere.get(there)).html).not.toContain(image!.id);
    expect((await elsewhere.post(`${there}/${image!.id}/delete`, { force: 'on' })).status).toBe(404);
    expect((await viewer.post(`${PAGE}/${image!.id}/delete`)).status).toBe(404);
    expect(await kept()).toContainEqual(image);
  });

  it('are deleted only on a second word while a campaign uses them', async () => {
    const { stores } = subject.service;
    const [image] = await kept();
    const sender = { workspace: (await stores.workspaces.get(1))!, domain: (await stores.domains.get(1))! };
    await stores.campaigns.create(aCampaign(sender, 1, { html: `<img src="${subject.origin}/i/${image!.id}.gif">` }));
    const path = `${PAGE}/${image!.id}/delete`;
    const asked = await editor.post(path);
    expect(asked.status).toBe(422);
    expect(asked.html).toContain('Delete anyway');
    expect(await kept()).toContainEqual(image);
    expect((await editor.post(path, { force: 'on' })).status).toBe(303);
    expect(await kept()).not.toContainEqual(image);
    expect((await fetch(`${subject.origin}/i/${image!.id}.gif`)).status).toBe(404);
  });

  describe('in the editor of campaigns', () => {
    const at = '/app/w/1/campaigns/new';
    const fields = {
      body: 'blocks',
      subject: 'Promo',
      'b.0.kind': 'heading',
      'b.0.text': 'Halo',
      'b.1.kind': 'columns',
      'b.1.0.0.kind': 'image',
      'b.1.0.0.url': '',
      'b.1.0.0.alt': 'Foto',
      'b.1.0.0.link': '',
    };

    it('fill in the address of their block, and keep what was written', async () => {
      const change = 'upload b.1.0.0';
      const { html, status } = await editor.upload(at, { ...fields, change }, { 'b.1.0.0.file': file(SAMPLE_PNG) });
      expect(status).toBe(200);
      const [image] = (await kept()).filter(({ type }) => type === 'image/png');
      expect(html).toContain(`name="b.1.0.0.url" value="${subject.origin}/i/${image!.id}.png"`);
      expect(html).toContain('name="b.0.text" value="Halo"');
      expect(html).toContain(`<option value="${subject.origin}/i/${image!.id}.png">`);
    });

    it('say at their block why a file is none', async () => {
      const sent = { 'b.1.0.0.file': file('<svg/>', 'a.svg') };
      const { html, status } = await editor.upload(at, { ...fields, change: 'upload b.1.0.0' }, sent);
      expect(status).toBe(422);
      expect(html).toMatch(/id="b\.1\.0\.0\.fault" role="alert">a\.svg is not a PNG, JPEG, GIF or WebP image\./);
      expect(html).toContain('name="b.0.text" value="Halo"');
    });

    it.each(['upload b.0', 'upload b.7', 'upload b.1.0.3', 'upload', 'upload x'])(
      'keep nothing at %j, which is no image',
      async (change) => {
        const before = await kept();
        const sent = { 'b.0.file': file(SAMPLE_IMAGES[1]![2]) };
        expect((await editor.upload(at, { ...fields, change }, sent)).status).toBe(200);
        expect(await kept()).toEqual(before);
      },
    );
  });
});

/** A PNG that says it is so wide. */
function wide(width: number): Buffer {
  const bytes = Buffer.from(SAMPLE_PNG);
  bytes.writeUInt32BE(width, 16);
  return bytes;
}
