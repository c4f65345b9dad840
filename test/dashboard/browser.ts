import { describe, expect } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core';
import { eventually } from '../contract/helpers';
import { PATIENCE } from '../support/limits';

const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The Chromium of this machine: `CHROMIUM`, or where systems put it; null when there is none. */
const program = (): string | null =>
  [process.env['CHROMIUM'] ?? '', ...PLACES].find((path) => path && existsSync(path)) ?? null;

/** Runs a suite with a browser; without one it is reported as skipped, with the reason. */
export function describeInBrowser(title: string, suite: (open: () => Promise<Browser>) => void): void {
  const executablePath = program();
  if (executablePath === null) {
    describe.skip(`${title} (no Chromium: set CHROMIUM to its path)`, () =>
      suite(() => Promise.reject(new Error('no browser'))));
    return;
  }
  const args = ['--no-sandbox', '--disable-gpu', '--disable-dev-shm-usage'];
  describe(title, () => suite(() => chromium.launch({ executablePath, args })));
}

export interface Screen {
  width: number;
  colorScheme: 'light' | 'dark';
}

/** A browser of somebody, for whom nothing moves: what fades would be looked at halfway. */
export async function newContext(browser: Browser, options: BrowserContextOptions): Promise<BrowserContext> {
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(PATIENCE);
  return context;
}

/** The same of somebody who is signed in. */
export async function signedIn(
  browser: Browser,
  origin: string,
  session: string,
  { width, colorScheme }: Screen,
  more: Pick<BrowserContextOptions, 'javaScriptEnabled' | 'locale' | 'timezoneId'> = {},
): Promise<BrowserContext> {
  const context = await newContext(browser, { viewport: { width, height: 900 }, colorScheme, ...more });
  await context.addCookies([
    { name: 'kurir_session', value: session, url: `${origin}/app`, httpOnly: true, sameSite: 'Lax' },
  ]);
  return context;
}

interface Violation {
  id: string;
  help: string;
  nodes: { target: unknown; failureSummary?: string }[];
}

const AXE = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** What still moves on a page, and what it has asked for by itself: that is faded until the answer has come. */
const UNREST = `[
  ...[...document.querySelectorAll('.htmx-request')].map((one) => one.outerHTML.slice(0, 200)),
  ...document.getAnimations().map(({ effect }) => 'moves: ' + effect?.target?.outerHTML.slice(0, 200)),
]`;

/**
 * What axe finds on a page at rest, each with the place. The policy of our pages allows no foreign script, hence not as
 * a tag.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  await eventually(async () => expect(await page.evaluate<string[]>(UNREST)).toEqual([]));
  const found = await page.evaluate<Violation[]>(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) => violations)`,
  );
  return found.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${help} at ${JSON.stringify(target)} ${failureSummary ?? ''}`),
  );
}
