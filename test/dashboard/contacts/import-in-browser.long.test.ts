import { expect, it, jest } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Running } from '../../support/running';
import { axeFindings, describeInBrowser, signedIn } from '../browser';
import { dashboarded } from '../visitor';

/** Several transactions of an import. */
const LINES = 12_000;
/** Where pictures go; empty: none are made. */
const PICTURES = process.env['KURIR_PICTURES'] ?? '';

async function look(page: Page, name: string): Promise<void> {
  expect(await axeFindings(page)).toEqual([]);
  expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(360);
  if (!PICTURES) return;
  mkdirSync(PICTURES, { recursive: true });
  await page.screenshot({ path: join(PICTURES, `import-${name}.png`), fullPage: true });
}

/**
 * Holds each import behind its first contacts, so that it is seen however slow the browser is; returns what ends that.
 */
function holdImports({ stores: { bulkContacts } }: Running): () => void {
  const add = bulkContacts.add.bind(bulkContacts);
  let letOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (letOn = resolve));
  jest.spyOn(bulkContacts, 'add').mockImplementation(async (batch) => {
    const outcome = await add(batch);
    await held;
    return outcome;
  });
  return letOn;
}

describeInBrowser('an import in a browser', (open) => {
  const subject = dashboarded();

  it('of a large file shows how far it is, and its report', async () => {
    const editor = await subject.person('editor@toko.example', { 1: 'editor' });
    const browser = await open();
    const session = editor.cookies.get('kurir_session')!;
    const context = await signedIn(browser, subject.origin, session, { width: 360, colorScheme: 'light' });
    const page = await context.newPage();
    const lines = Array.from({ length: LINES }, (_, n) => `orang${n}@x.example,Orang ${n},Bandung\n`);
    const buffer = Buffer.from(`Surel,Nama,Kota\n${lines.join('')}bukan alamat,,\n`);
    await page.goto(`${subject.origin}/app/w/1/contacts/import`);
    await look(page, 'file');
    await page.setInputFiles('input[type=file]', { name: 'kontak.csv', mimeType: 'text/csv', buffer });
    await page.click('main form.fields button');
    await page.waitForSelector('input[name=consent]');
    await look(page, 'columns');
    await page.check('input[name=consent]');
    const letOn = holdImports(subject.service);
    await page.click('main form.fields button');
    await page.waitForSelector('#import progress');
    await look(page, 'progress');
    letOn();
    await page.waitForSelector('#import dl');
    await look(page, 'report');
    expect(await page.textContent('#import dl')).toMatch(/New contacts\s*12,000/);
    await browser.close();
    expect((await subject.service.stores.contacts.list(1, { offset: 0, limit: 1 })).total).toBe(LINES);
  });
});
