import type { BrowserContext, Page } from 'playwright-core';

const LINKS = `[...document.querySelectorAll('main a[href]:not([download]), nav a[href]')].map((one) => one.getAttribute('href'))`;

/** The form of an address: ids and queries left out, so that one message stands for all; `#draft` is one of its own. */
export const formOf = (path: string): string =>
  path.replace(/\?.*$/, '').replace(/\/(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27}|whd_[0-9a-f]+)(?=[/#]|$)/g, '/:id');

/** Follows every link below `/app` from the starts, and looks at one screen of each form. Returns the forms. */
export async function eachScreen(
  context: BrowserContext,
  origin: string,
  starts: readonly string[],
  look: (page: Page, path: string) => Promise<void>,
): Promise<string[]> {
  const page = await context.newPage();
  const seen = new Map(starts.map((start) => [formOf(start), start]));
  for (const path of seen.values()) {
    const answer = await page.goto(origin + path);
    if (!(answer?.headers()['content-type'] ?? '').includes('text/html')) continue;
    await look(page, path);
    const links = await page.evaluate<string[]>(LINKS);
    for (const link of links) {
      const form = formOf(link);
      if (link.startsWith('/app') && !seen.has(form)) seen.set(form, link);
    }
  }
  await page.close();
  return [...seen.keys()];
}
