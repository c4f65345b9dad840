import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import type { Campaign } from '../../domain/campaigns/campaign';
import { aContact, anApiKey } from '../support/builders';
import { limitFor } from '../support/limits';
import { aCampaign, anAudience } from '../support/marketing';
import { richWorkspace, type Things } from '../support/rich-workspace';
import { describeInBrowser, signedIn } from './browser';
import { dashboarded } from './visitor';

/** Where pictures of the questions go; empty: none are made. */
const PICTURES = process.env['KURIR_PICTURES'] ?? '';
const QUESTIONS = { en: 'Are you sure?', id: 'Anda yakin?' };

/** An act that cannot be taken back: the screen it stands on, and where its form is sent to. */
interface Act {
  at: string;
  to: string;
  /** True once it has happened. */
  isDone: () => Promise<boolean>;
}

describeInBrowser('What cannot be taken back', (open) => {
  const subject = dashboarded();
  let browser: Browser;
  let session: string;
  let own: Things;
  beforeAll(async () => {
    browser = await open();
    own = await richWorkspace(subject.service, 'toko');
    const owner = await subject.person('own@toko.example', { [Number(own.workspace)]: 'owner' });
    session = owner.cookies.get('kurir_session')!;
  });
  afterAll(() => browser.close());

  /** A campaign in this state, to one contact. */
  async function campaign(status: 'draft' | 'paused'): Promise<Campaign> {
    const { stores, clock } = subject.service;
    const workspace = (await stores.workspaces.update(Number(own.workspace), { businessAddress: 'Jl. Contoh 1' }))!;
    const domain = (await stores.domains.get(Number(own.domain)))!;
    const audience = await stores.audiences.create(anAudience(workspace.id));
    const contact = aContact(workspace.id);
    await stores.audiences.join(workspace.id, audience.id, { contact }, clock.now());
    return stores.campaigns.create(aCampaign({ workspace, domain }, audience.id, { status }));
  }

  /** An act of each kind, on something that is made for it. */
  async function acts(): Promise<Act[]> {
    const { stores } = subject.service;
    const workspace = Number(own.workspace);
    const of = async (name: string, from: 'draft' | 'paused'): Promise<Act> => {
      const { id } = await campaign(from);
      const isDone = async () => (await stores.campaigns.get(workspace, id))?.status !== from;
      return { at: `/campaigns/${id}`, to: `/campaigns/${id}/${name}`, isDone };
    };
    const keys = () => stores.credentials.listKeys(workspace);
    const key = await stores.credentials.createKey(anApiKey(workspace));
    return [
      await of('send', 'draft'),
      await of('cancel', 'paused'),
      await of('delete', 'draft'),
      {
        at: '/settings',
        to: `/settings/keys/${key.id}/revoke`,
        isDone: async () => (await keys()).find(({ id }) => id === key.id)?.revokedAt !== null,
      },
    ];
  }

  const button = (page: Page, { to }: Act) => page.locator(`form[action$="${to}"] button`);
  const picture = async (page: Page, name: string): Promise<void> => {
    if (PICTURES) await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: true });
  };

  // spec: docs/dashboard.md#questions: a dialog that is dismissed does nothing, one that is accepted all of it
  it(
    'is asked by a dialog, and happens once it is accepted, without a second question',
    async () => {
      const context = await signedIn(browser, subject.origin, session, { width: 1280, colorScheme: 'light' });
      const page = await context.newPage();
      const asked: string[] = [];
      let answer: 'accept' | 'dismiss' = 'dismiss';
      page.on('dialog', (dialog) => {
        asked.push(dialog.message());
        void dialog[answer]();
      });
      for (const act of await acts()) {
        await page.goto(`${subject.origin}/app/w/${own.workspace}${act.at}`);
        const shown = await button(page, act).locator('..').getAttribute('data-confirm');
        answer = 'dismiss';
        await button(page, act).click();
        expect([act.to, await act.isDone()]).toEqual([act.to, false]);
        answer = 'accept';
        await Promise.all([page.waitForNavigation(), button(page, act).click()]);
        expect(asked.splice(0)).toEqual([shown, shown]);
        expect(await page.locator('main h1').innerText()).not.toBe(QUESTIONS.en);
        expect([act.to, await act.isDone()]).toEqual([act.to, true]);
      }
      await context.close();
    },
    limitFor(2),
  );

  it.each(['en', 'id'] as const)(
    'is asked by a page where no script runs, at each width: %s',
    async (language) => {
      for (const width of [1280, 360]) {
        const more = { javaScriptEnabled: false, locale: language };
        const context = await signedIn(browser, subject.origin, session, { width, colorScheme: 'light' }, more);
        const page = await context.newPage();
        for (const act of await acts()) {
          await page.goto(`${subject.origin}/app/w/${own.workspace}${act.at}`);
          await button(page, act).click();
          await page.getByRole('heading', { name: QUESTIONS[language] }).waitFor();
          await picture(page, `${act.to.split('/').at(-1)}-${width}-${language}`);
          expect([act.to, await act.isDone()]).toEqual([act.to, false]);
          await page.locator('main form button').click();
          await page.getByRole('status').first().waitFor();
          expect([act.to, await act.isDone()]).toEqual([act.to, true]);
        }
        await context.close();
      }
    },
    limitFor(2),
  );
});
