import { beforeAll, describe, expect, it } from '@jest/globals';
import { changeBlocks, type DraftBlock } from '../../../dashboard/campaigns/block-fields';
import { dashboarded, type Visitor } from '../visitor';

const at = '/app/w/1/campaigns';
const kinds = (blocks: readonly DraftBlock[]): string[] => blocks.map(({ kind }) => kind);
const block = (kind: string): DraftBlock => ({ kind, fields: {}, columns: kind === 'columns' ? [[], []] : [] });

describe('the buttons of the blocks', () => {
  const blocks = [block('heading'), block('columns'), block('footer')];

  it('add, move and remove, in columns as well', () => {
    expect(kinds(changeBlocks(blocks, 'add b text'))).toEqual(['heading', 'columns', 'footer', 'text']);
    expect(kinds(changeBlocks(blocks, 'up b.1'))).toEqual(['columns', 'heading', 'footer']);
    expect(kinds(changeBlocks(blocks, 'down b.1'))).toEqual(['heading', 'footer', 'columns']);
    expect(kinds(changeBlocks(blocks, 'remove b.1'))).toEqual(['heading', 'footer']);
    const added = changeBlocks(changeBlocks(blocks, 'add b.1.1 image'), 'add b.1.1 text');
    expect(added[1]?.columns.map(kinds)).toEqual([[], ['image', 'text']]);
    expect(changeBlocks(added, 'up b.1.1.1')[1]?.columns.map(kinds)).toEqual([[], ['text', 'image']]);
    expect(changeBlocks(added, 'remove b.1.1.0')[1]?.columns.map(kinds)).toEqual([[], ['text']]);
  });

  it.each([
    '',
    'up b.0',
    'down b.2',
    'remove b.9',
    'remove b.x',
    'add b movie',
    'add b.1.0 columns',
    'add b.0.0 text',
    'dance b.0',
  ])('change nothing by %j', (command) => {
    expect(changeBlocks(blocks, command)).toEqual(blocks);
  });
});

describe('the editor of campaigns', () => {
  const subject = dashboarded();
  let owner: Visitor;
  let editor: Visitor;
  let viewer: Visitor;
  let audience: string;
  beforeAll(async () => {
    owner = await subject.person('owner@toko.example', { 1: 'owner' });
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const { stores } = subject.service;
    const made = await stores.audiences.create({
      workspaceId: 1,
      name: 'Pelanggan',
      description: null,
      publicToken: 'p'.repeat(32),
      optInMode: 'single',
      createdAt: 1,
    });
    audience = String(made.id);
    await stores.workspaces.update(1, { businessAddress: 'Jl. Contoh 1' });
  });

  const fields = (more: Record<string, string> = {}): Record<string, string> => ({
    subject: 'Promo',
    audience,
    domain: '1',
    text: '',
    preheader: 'Baru',
    from: '',
    from_name: '',
    reply_to: '',
    body: 'blocks',
    'b.0.kind': 'heading',
    'b.0.text': 'Halo {{nama|Kak}} <b>',
    'b.0.align': '',
    'b.1.kind': 'columns',
    'b.1.0.0.kind': 'text',
    'b.1.0.0.text': 'Kiri',
    'b.1.0.0.align': '',
    'b.1.1.0.kind': 'button',
    'b.1.1.0.label': 'Beli',
    'b.1.1.0.url': 'https://toko.example',
    'b.1.1.0.color': '',
    ...more,
  });
  const newest = async (): Promise<number> => (await subject.service.stores.campaigns.list(1))[0]!.id;
  const kept = async () => (await subject.service.stores.campaigns.get(1, await newest()))!;

  it('shows another block at the push of a button, keeps what was written, and stores nothing', async () => {
    const before = (await subject.service.stores.campaigns.list(1)).length;
    const { status, html } = await editor.post(`${at}/new`, fields({ change: 'add b image' }));
    expect(status).toBe(200);
    expect(html).toContain('name="b.2.kind" value="image"');
    expect(html).toContain('value="Halo {{nama|Kak}} &lt;b&gt;"');
    expect(html).toContain('name="b.1.1.0.label" value="Beli"');
    const part = await editor.post(`${at}/new`, fields({ change: 'remove b.0' }), { 'hx-request': 'true' });
    expect(part.html.trim()).toMatch(/^<section id="blocks"/);
    expect(part.html).not.toContain('Halo {{nama|Kak}}');
    expect(await subject.service.stores.campaigns.list(1)).toHaveLength(before);
  });

  it('stores blocks with the HTML they make, and shows them again', async () => {
    expect((await editor.post(`${at}/new`, fields())).status).toBeLessThan(400);
    const { blocks, html } = await kept();
    expect(blocks).toEqual([
      { kind: 'heading', text: 'Halo {{nama|Kak}} <b>' },
      {
        kind: 'columns',
        columns: [[{ kind: 'text', text: 'Kiri' }], [{ kind: 'button', label: 'Beli', url: 'https://toko.example' }]],
      },
    ]);
    expect(html).toContain('Halo {{nama|Kak}} &lt;b&gt;</h1>');
    const shown = await editor.get(`${at}/${await newest()}/edit`);
    expect(shown.html).toContain('name="b.1.1.0.url" value="https://toko.example"');
  });

  // docs/campaigns.md#blocks: a draft is kept whatever is missing
  it('keeps a draft with what is missing or wrong, says it at its field in words, and sends none of it', async () => {
    const begun = { 'b.0.text': '', 'b.1.1.0.url': 'javascript:alert(1)', 'b.2.kind': 'button', 'b.2.label': 'Lagi' };
    expect((await editor.post(`${at}/new`, fields(begun))).status).toBe(303);
    const id = await newest();
    expect((await kept()).html).toBeNull();
    const { html } = await editor.get(`${at}/${id}/edit`);
    expect(html).toContain('name="b.1.1.0.url" value="javascript:alert(1)"');
    expect(html).toContain('id="b.0.text.fault">Heading: Text is missing');
    expect(html).toContain('id="b.1.1.0.url.fault">Button: URL is not valid');
    expect(html).toContain('id="b.2.url.fault">Button: URL is missing');
    expect(html).not.toContain('blocks[');
    const sent = await editor.post(`${at}/${id}/send`);
    expect(sent.status).toBe(422);
    expect(sent.html).toContain('Button (column 2 of block 2): correct the link');
    const indonesian = await editor.post(`${at}/${id}/send`, {}, { 'accept-language': 'id' });
    expect(indonesian.html).toContain('Kampanye ini belum lengkap: Judul (blok 1): isi teks; ');
    expect(indonesian.html).toContain('Tombol (kolom 2 di blok 2): perbaiki tautan; Tombol (blok 3): isi tautan.');
    expect((await kept()).status).toBe('draft');
    expect((await editor.post(`${at}/${id}/edit`, fields())).status).toBe(303);
    expect((await kept()).html).toContain('https://toko.example');
  });

  it.each(['en', 'id'])(
    'says at its field that a text is too long to be kept, and shows all of it again (%s)',
    async (language) => {
      const long = `${'kata '.repeat(4_001)}akhir`;
      const sent = fields({ 'b.1.0.0.text': long });
      const { status, html } = await editor.post(`${at}/new`, sent, { 'accept-language': language });
      expect(status).toBe(422);
      expect(html).toContain(long);
      expect(html).toContain(
        `id="b.1.0.0.text.fault">${language === 'en' ? 'Text: Text is too long' : 'Teks: Teks terlalu panjang'}`,
      );
      expect(html).toContain(language === 'en' ? 'Not saved: a block is too long.' : 'Belum disimpan: ada blok');
      expect(html).not.toContain('blocks[');
    },
  );

  it('forgets the blocks of a mail that is written as HTML', async () => {
    const id = await newest();
    const { body: _body, ...rest } = fields({ html: '<p>Tulisan</p>' });
    await editor.post(`${at}/${id}/edit`, rest);
    expect(await kept()).toMatchObject({ blocks: null, html: '<p>Tulisan</p>' });
    expect((await editor.get(`${at}/${id}/edit`)).html).toContain('name="html"');
    await editor.post(`${at}/${id}/edit`, fields());
    expect((await kept()).blocks).not.toBeNull();
  });

  it('shows what is in the form as a mail, in a document that may do nothing', async () => {
    const { status, html, headers } = await editor.post(`${at}/preview`, fields({ contact: '' }));
    expect(status).toBe(200);
    expect(html).toContain('Halo Kak &lt;b&gt;');
    expect(html).toContain('Jl. Contoh 1');
    expect(headers.get('content-security-policy')).toMatch(
      /^sandbox; default-src 'none'; img-src 'self' data: http: https:;/,
    );
    const stored = await viewer.get(`${at}/${await newest()}/preview`);
    expect(stored.html).toContain('Halo Kak');
    const begun = {
      'b.0.text': '',
      'b.2.kind': 'image',
      'b.2.url': '',
      'b.2.alt': 'Sepatu merah',
      'b.3.kind': 'button',
    };
    const early = await editor.post(`${at}/preview`, fields(begun));
    expect(early.html).toMatch(/…<\/h1>[^]+Sepatu merah[^]+href="https:\/\/example.com\/"/);
    const pictured = { ...begun, 'b.2.url': 'https://toko.example/a.png', 'b.2.alt': '' };
    expect((await editor.post(`${at}/preview`, fields(pictured))).html).toContain('src="https://toko.example/a.png"');
    const wrong = await editor.post(`${at}/preview`, fields({ ...begun, 'b.1.1.0.url': 'javascript:alert(1)' }));
    expect(wrong.html).toContain('Button (column 2 of block 2): correct the link');
    expect((await viewer.post(`${at}/preview`, fields())).status).toBe(404);
  });

  describe('where campaigns need an approval', () => {
    beforeAll(() => subject.service.stores.workspaces.update(1, { campaignApproval: true }));

    it('starts none of an editor before an owner has agreed to what is in it', async () => {
      await editor.post(`${at}/new`, fields());
      const path = `${at}/${await newest()}`;
      const early = await editor.post(`${path}/send`);
      expect(early.status).toBe(422);
      expect(early.html).toContain('The campaign needs the approval of an owner');
      const later = new Date(subject.service.clock.now() + 3_600_000).toISOString();
      expect((await editor.post(`${path}/schedule`, { at: later })).status).toBe(422);
      expect((await editor.post(`${path}/approve`)).status).toBe(404);
      const seen = /name="seen" value="([0-9a-f]{16})"/.exec((await editor.get(path)).html)?.[1] ?? '';
      expect((await editor.post(`${path}/ask`, { seen })).status).toBe(303);
      expect((await owner.get('/app/w/1')).html).toContain('awaiting approval');
      // What the owner looked at is not what the campaign says by now.
      await editor.post(`${path}/edit`, fields({ subject: 'Lain' }));
      const blind = await owner.post(`${path}/approve`, { seen });
      expect(blind.status).toBe(422);
      expect(blind.html).toContain('the content has changed in the meantime');
      const now = /name="seen" value="([0-9a-f]{16})"/.exec((await owner.get(path)).html)?.[1] ?? '';
      expect((await owner.post(`${path}/approve`, { seen: now })).status).toBe(303);
      expect((await editor.get(path)).html).toContain('owner@toko.example approved this campaign');
      expect((await editor.post(`${path}/send`)).status).toBe(303);
      expect((await kept()).sentAt).not.toBeNull();
    });

    it('takes the approval away by an edit, and needs none of an owner', async () => {
      await owner.post(`${at}/new`, fields());
      const path = `${at}/${await newest()}`;
      await owner.post(`${path}/approve`);
      await editor.post(`${path}/edit`, fields({ subject: 'Lain' }));
      expect((await kept()).approval).toBeNull();
      const later = new Date(subject.service.clock.now() + 3_600_000).toISOString();
      expect((await owner.post(`${path}/schedule`, { at: later })).status).toBe(303);
      expect(await kept()).toMatchObject({ status: 'scheduled', approval: { state: 'given' } });
      await owner.post(`${path}/unschedule`);
      await owner.post(`${path}/decline`);
      // Somebody changes it while the owner looks: what goes out is what was seen, or nothing.
      const seen = /name="seen" value="([0-9a-f]{16})"/.exec((await owner.get(path)).html)?.[1] ?? '';
      await editor.post(`${path}/edit`, fields({ subject: 'Diganti' }));
      expect((await owner.post(`${path}/send`, { seen })).status).toBe(422);
      expect((await owner.post(`${path}/schedule`, { seen, at: later })).status).toBe(422);
      expect(await kept()).toMatchObject({ status: 'draft', approval: null });
      expect((await owner.post(`${path}/send`)).status).toBe(303);
    });
  });
});
