import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { axeFindings, describeInBrowser, signedIn } from './browser';
import { dashboarded, PASSWORD } from './visitor';

/** Where pictures go; empty: none are made. */
const PICTURES = process.env['KURIR_PICTURES'] ?? '';

// These pages answer to forms, so that no link leads to them.
describeInBrowser('the pages of the second factor, of an invitation and of a key', (open) => {
  const subject = dashboarded();
  let browser: Browser;
  beforeAll(async () => {
    browser = await open();
  });
  afterAll(() => browser.close());

  async function look(page: Page, name: string, width: number, colorScheme: string): Promise<void> {
    expect(await axeFindings(page)).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    if (!PICTURES) return;
    mkdirSync(PICTURES, { recursive: true });
    await page.screenshot({ path: join(PICTURES, `${name}-${width}-${colorScheme}.png`), fullPage: true });
  }

  it.each([
    { width: 360, colorScheme: 'dark' as const },
    { width: 1440, colorScheme: 'light' as const },
    { width: 360, colorScheme: 'light' as const },
    { width: 1440, colorScheme: 'dark' as const },
  ])('are well to read and to use at $width px in $colorScheme', async (size) => {
    const email = `op${size.width}${size.colorScheme}@toko.example`;
    const visitor = await subject.personWithPassword(email, 'operator');
    const context = await signedIn(browser, subject.origin, visitor.cookies.get('kurir_session')!, size);
    const page = await context.newPage();
    const seen = (name: string) => look(page, name, size.width, size.colorScheme);
    await page.goto(`${subject.origin}/app/me`);
    await page.locator('#second-password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Set up two-factor authentication' }).click();
    await seen('second-factor');
    const secret = Secret.fromBase32((await page.locator('li code').innerText()).replaceAll(' ', ''));
    await page.getByLabel('6-digit code').fill(new TOTP({ secret }).generate());
    await page.getByRole('button', { name: 'Turn on' }).click();
    await seen('recovery-codes');
    const [code = ''] = (await page.locator('pre').innerText()).split('\n');
    await page.getByRole('link', { name: 'I have saved these codes' }).click();
    await seen('me-with-second-factor');
    await page.goto(`${subject.origin}/app/users`);
    await page.getByLabel('Email address').fill(`dewi${size.width}${size.colorScheme}@toko.example`);
    await page.getByLabel('Administrator (all workspaces)').check();
    await page.getByRole('button', { name: 'Invite' }).click();
    await seen('invitation');
    for (const [keys, name] of [
      ['users/keys', 'admin-key-of-all'],
      ['w/1/settings/admin-keys', 'admin-key-of-workspace'],
    ] as const) {
      await page.goto(`${subject.origin}/app/${keys}`);
      await page.locator('[name=name]').fill(`terraform ${size.width} ${size.colorScheme}`);
      await page.locator('[name=role]').selectOption('owner');
      await page.getByRole('button', { name: 'Create key' }).click();
      await seen(name);
      await page.getByRole('link', { name: 'Back' }).click();
      await seen(`${name}-listed`);
    }
    await context.clearCookies();
    await page.goto(`${subject.origin}/app/users`);
    await seen('sign-in');
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await seen('sign-in-second');
    await page.getByLabel('Code').fill(code);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.waitForURL(`${subject.origin}/app/users`);
    await context.close();
  });
});
