import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { axeFindings, describeInBrowser, signedIn, type Screen } from './browser';
import { eachScreen, formOf } from './each-screen';
import { dashboarded } from './visitor';
import { fillPeople, fillWorkspace } from './fill-workspace';

const SIZES: readonly Screen[] = [
  { width: 1440, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 1440, colorScheme: 'dark' },
];
/** Script of a screen at most, bytes as they are sent uncompressed. */
const SCRIPT = 60 * 1024;
/** Where pictures of every screen go; empty: none are made. */
const PICTURES = process.env['KURIR_PICTURES'] ?? '';

/** Where the links begin, and what no link leads to yet, or only to another of its kind. */
const STARTS = ['/app/w/1', '/app/w/1/settings/members', '/app/w/1/campaigns/1#draft', '/app/w/1/campaigns/2'];

describeInBrowser('every screen of the dashboard', (open) => {
  const subject = dashboarded();
  let browser: Browser;
  let session: string;
  beforeAll(async () => {
    browser = await open();
    await fillWorkspace(subject.service);
    await fillPeople(subject);
    session = (await subject.personWithPassword('operator@toko.example', 'operator')).cookies.get('kurir_session')!;
  });
  afterAll(() => browser.close());

  it.each(SIZES)('is well to read and to use at $width px in $colorScheme', async (size) => {
    const faults: string[] = [];
    const context = await signedIn(browser, subject.origin, session, size);
    context.on('page', (page) => {
      page.on('console', (message) => {
        if (message.type() === 'error') faults.push(`${page.url()}: console: ${message.text()}`);
      });
      page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
      page.on('response', (answer) => {
        if (answer.status() >= 400) faults.push(`${page.url()}: ${answer.status()} ${answer.url()}`);
      });
    });
    const forms = await eachScreen(context, subject.origin, STARTS, async (page, path) => {
      // Frames load where they are seen.
      await page.evaluate(`document.querySelectorAll('main iframe').forEach((frame) => frame.scrollIntoView())`);
      if (await page.locator('main iframe').count()) await page.waitForLoadState('networkidle');
      for (const found of await axeFindings(page)) faults.push(`${path}: ${found}`);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (wide > size.width) faults.push(`${path}: is ${wide} px wide`);
      for (const frame of page.frames().slice(1)) {
        if (frame.url() === 'about:blank') continue;
        const shown = await frame.evaluate<string>('document.body.innerText');
        if (shown.trim() === '') faults.push(`${path}: the frame ${frame.url()} is empty`);
      }
      if (PICTURES) {
        mkdirSync(PICTURES, { recursive: true });
        const name =
          formOf(path)
            .replace(/^\/app\/?/, '')
            .replace(/[^a-z0-9]+/gi, '-') || 'start';
        await page.screenshot({
          path: join(PICTURES, `${name}-${size.width}-${size.colorScheme}.png`),
          fullPage: true,
        });
      }
    });
    await context.close();
    expect(faults).toEqual([]);
    expect(forms).toEqual(expect.arrayContaining(['/app/w/:id']));
  });

  it('loads at most 60 kB of script', async () => {
    const context = await signedIn(browser, subject.origin, session, SIZES[0]!);
    const page = await context.newPage();
    let bytes = 0;
    page.on('response', async (answer) => {
      // As it comes over the wire.
      if (answer.url().endsWith('.js')) bytes += Number(answer.headers()['content-length'] ?? Number.NaN);
    });
    await page.goto(`${subject.origin}/app/w/1`, { waitUntil: 'networkidle' });
    await context.close();
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(SCRIPT);
  });
});
