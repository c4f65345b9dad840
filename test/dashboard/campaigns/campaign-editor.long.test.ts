import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { describeInBrowser, signedIn } from '../browser';
import { eventually } from '../../contract/helpers';
import { SAMPLE_PNG } from '../../support/images';
import { fillWorkspace } from '../fill-workspace';
import { dashboarded } from '../visitor';

describeInBrowser('the editor of campaigns in a browser', (open) => {
  const subject = dashboarded();
  let browser: Browser;
  let session: string;
  beforeAll(async () => {
    browser = await open();
    await fillWorkspace(subject.service);
    session = (await subject.person('editor@toko.example', { 1: 'editor' })).cookies.get('kurir_session')!;
  });
  afterAll(() => browser.close());

  const atEditor = async (javaScriptEnabled: boolean) => {
    const size = { width: 1280, colorScheme: 'light' } as const;
    const context: BrowserContext = await signedIn(browser, subject.origin, session, size, { javaScriptEnabled });
    const page = await context.newPage();
    await page.goto(`${subject.origin}/app/w/1/campaigns/new`);
    return { context, page };
  };

  it.each([true, false])('builds a mail from blocks, shows it and stores it, with script: %s', async (hasScript) => {
    const { context, page } = await atEditor(hasScript);
    await page.getByLabel('Subject').fill('Promo Februari');
    const [heading, text] = [page.locator('[name="b.0.text"]'), page.locator('[name="b.1.text"]')];
    await heading.fill('Halo {{nama|Kak}}');
    await text.fill('Hanya **hari ini**.');
    await page.getByRole('button', { name: 'Remove: 3. Button' }).click();
    await page.getByRole('button', { name: 'Add Footer' }).click();
    await page.locator('[name="b.2.text"]').fill('Selama persediaan ada.');
    await page.getByRole('button', { name: 'Move up: 3. Footer' }).click();
    await page.locator('[name="b.1.kind"][value="footer"]').waitFor({ state: 'attached' });
    expect(await heading.inputValue()).toBe('Halo {{nama|Kak}}');
    expect(await page.getByLabel('Subject').inputValue()).toBe('Promo Februari');
    await page.getByRole('button', { name: 'Show preview' }).click();
    const frame = page.frameLocator('.preview iframe:not(.loading)');
    await frame.getByText('Halo Kak').waitFor();
    expect(await frame.locator('strong').first().innerText()).toBe('hari ini');
    // The key that sends a form stores it, and pushes none of the buttons of the blocks.
    await heading.press('Enter');
    await page.waitForURL(/\/campaigns\/\d+$/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Promo Februari');
    await context.close();
    const [made] = await subject.service.stores.campaigns.list(1);
    const { blocks } = (await subject.service.stores.campaigns.get(1, made!.id))!;
    expect(blocks?.map(({ kind }) => kind)).toEqual(['heading', 'footer', 'text']);
  });

  /** What an expression is in the document of the preview; null while there is none. */
  const inPreview = (page: Page, expression: string): Promise<unknown> =>
    page
      .frames()
      .at(-1)!
      .evaluate<unknown>(expression)
      .catch(() => null);
  const untilShown = (page: Page, text: string) =>
    eventually(async () => expect(await inPreview(page, 'document.body.innerText')).toContain(text));

  it('shows the mail while it is written, and leaves nothing in the history', async () => {
    const { context, page } = await atEditor(true);
    const before = await page.evaluate<number>('history.length');
    for (const text of ['Halo', 'Halo {{nama|Kak}}', 'Selamat pagi, {{nama|Kak}}']) {
      await page.locator('[name="b.0.text"]').fill(text);
      await untilShown(page, text.replace('{{nama|Kak}}', 'Kak'));
    }
    await page.getByRole('button', { name: 'Remove: 2. Text' }).click();
    await page.locator('[name="b.1.kind"][value="button"]').waitFor({ state: 'attached' });
    await page.locator('[name="b.1.label"]').fill('Beli');
    await untilShown(page, 'Beli');
    expect(await page.locator('iframe').count()).toBe(1);
    expect(await page.locator('iframe').getAttribute('sandbox')).toBe('');
    expect(await page.evaluate<number>('history.length')).toBe(before);
    await context.close();
  });

  it.each([true, false])('takes an image from the machine, with script: %s', async (hasScript) => {
    const { context, page } = await atEditor(hasScript);
    await page.getByRole('button', { name: 'Add Image' }).first().click();
    const url = page.locator('[name="b.3.url"]');
    await page
      .getByLabel('Image file')
      .setInputFiles({ name: 'a.svg', mimeType: 'image/png', buffer: Buffer.from('<svg/>') });
    await page.getByRole('button', { name: 'Upload: 4. Image' }).click();
    await page.getByText('a.svg is not a PNG, JPEG, GIF or WebP image.').waitFor();
    await page.getByLabel('Image file').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: SAMPLE_PNG });
    await page.getByRole('button', { name: 'Upload: 4. Image' }).click();
    await page.locator('[name="b.3.url"][value*="/i/"]').waitFor();
    expect(await url.inputValue()).toMatch(/\/i\/[0-9a-f]{32}\.png$/);
    await page.getByRole('button', { name: 'Show preview' }).click();
    await eventually(async () => {
      expect(await inPreview(page, 'document.images[0]?.src')).toBe(await url.inputValue());
      expect(await inPreview(page, 'document.images[0].naturalWidth')).toBe(3);
    });
    await context.close();
  });
});
