import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Browser, Page } from 'playwright-core';
import { describeInBrowser } from '../../dashboard/browser';
import { TestApi } from '../../support/test-api';

const ROOT = join(__dirname, '../../..');
const site = join(ROOT, `dist/docs-test-${process.pid}`);
let api: TestApi;

beforeAll(async () => {
  await promisify(execFile)(process.execPath, [join(ROOT, 'packaging/docs/build.mjs'), site]);
  api = await TestApi.open({ adapt: (deps) => ({ ...deps, guideFolder: site }) });
});
afterAll(async () => {
  await api.close();
  rmSync(site, { recursive: true, force: true });
});

const pages = (): string[] =>
  readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.html'));

it('every document is a page, without scripts or styles in it', () => {
  const places = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'));
  const built = pages();
  expect(built).toEqual(expect.arrayContaining([...places, 'contributing.html', 'changelog.html']));
  const inline = built.filter((name) =>
    /<style|<script(?![^>]*\ssrc=)|\sstyle="[^"]|\son\w+="/.test(readFileSync(join(site, name), 'utf8')),
  );
  expect(inline).toEqual([]);
});

it('merge tags are shown as they are', () => {
  expect(readFileSync(join(site, 'campaigns.html'), 'utf8')).toContain('{{nama|Kak}}');
});

describeInBrowser('the site in a browser, under the policy of the program', (open) => {
  let browser: Browser;
  beforeAll(async () => void (browser = await open()));
  afterAll(() => browser.close());

  /** What a visit does, and what the browser has against it: refused styles and scripts, missing files, other hosts. */
  async function visit(width: number, walk: (page: Page, base: string) => Promise<void>): Promise<string[]> {
    const origin = `http://127.0.0.1:${(api.server.address() as AddressInfo).port}`;
    const page = await browser.newPage({ viewport: { width, height: 900 }, locale: 'en-GB' });
    const faults: string[] = [];
    page.on('console', (message) => void (message.type() === 'error' && faults.push(message.text())));
    page.on('pageerror', (error) => faults.push(String(error)));
    page.on('response', (answer) => void (answer.status() >= 400 && faults.push(`${answer.status()} ${answer.url()}`)));
    page.on('request', (request) => {
      if (!/^data:/.test(request.url()) && !request.url().startsWith(origin)) faults.push(request.url());
    });
    await walk(page, `${origin}/docs/guide/`);
    await page.close();
    return faults;
  }
  const fits = (page: Page): Promise<boolean> =>
    page.evaluate('document.documentElement.scrollWidth <= document.documentElement.clientWidth');

  it.each([1440, 390])('%d px: the first page leads into each way', async (width) => {
    const faults = await visit(width, async (page, base) => {
      for (const first of ['Your first email', 'Your first campaign', 'Install', 'Contributing']) {
        await page.goto(base);
        await page.locator('.VPFeature', { hasText: first }).click();
        await page.locator('.vp-doc h1', { hasText: first }).waitFor();
        expect(await fits(page)).toBe(true);
      }
    });
    expect(faults).toEqual([]);
  });

  it.each([1440, 390])('%d px: the search finds a clause of the contract', async (width) => {
    const faults = await visit(width, async (page, base) => {
      await page.goto(base);
      await page.locator('.DocSearch-Button').first().click();
      await page.locator('.search-input').fill('idempotency key');
      await page.locator('.results .result', { hasText: 'Idempotency key' }).first().click();
      await page.waitForURL('**/contract.html#idempotency-key');
      await page.locator('h3#idempotency-key').waitFor();
    });
    expect(faults).toEqual([]);
  });

  it('leads to the reference of the API', async () => {
    await visit(1440, async (page, base) => {
      await page.goto(`${base}decisions/`);
      await page.locator('.VPNavBarMenuLink', { hasText: 'API reference' }).click();
      await page.waitForURL('**/docs');
    });
  });
});
