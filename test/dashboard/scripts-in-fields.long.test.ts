import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { changeUser } from '../../operations/people/people';
import { beginSession } from '../../operations/people/sessions';
import { DATABASE } from '../../operations/installation/data-dir';
import { describeInBrowser, signedIn } from './browser';
import { eachScreen } from './each-screen';
import { fillPeople, fillWorkspace } from './fill-workspace';
import { payload, poison, READ_AS_TEMPLATE } from './poison';
import { Dashboarded, type Visitor } from './visitor';

/** Elements that only a payload makes, and addresses that would run. */
const MADE = `[...document.querySelectorAll('[data-evil], [onerror], [onload], [href^="javascript:" i], [src^="javascript:" i], [action^="javascript:" i], [formaction^="javascript:" i]')].map((one) => one.outerHTML.slice(0, 200))`;
/** The whole page as text: what is read, and what stands in attributes. */
const SHOWN = `[document.documentElement.textContent, ...[...document.querySelectorAll('*')].flatMap((one) => [...one.attributes].map(({ value }) => value)), ...[...document.querySelectorAll('textarea, input')].map(({ value }) => value)].join(' ')`;
const FRAMES = `[...document.querySelectorAll('iframe[src]')].map((one) => ({ src: one.getAttribute('src'), sandbox: one.hasAttribute('sandbox') }))`;

/** What answers a query that holds the payload. */
const REFLECTED = ['/messages?to=', '/contacts?q=', '/suppressions?email=', '/conversions?order=', '/coins?kind='];

/** Fields that must have been seen, so that a page that shows none of them is no pass. */
const SEEN = [
  ...['attempts.reply', 'audiences.name', 'campaigns.blocks.alt', 'campaigns.blocks.text', 'campaigns.from_name'],
  ...['campaigns.subject', 'contacts.email', 'contacts.name', 'conversions.order_id', 'import.file', 'journeys.name'],
  ...['messages.failed_reason', 'messages.metadata', 'messages.metadata.key', 'messages.recipient_text'],
  ...['messages.subject', 'operator_log.target', 'parked.reason', 'query.text', 'session.agent', 'templates.name'],
  ...['user.name', 'webhook_deliveries.attempts.answer', 'workspaces.name'],
];

describeInBrowser('what is written into the fields of the dashboard', (open) => {
  const subject = new Dashboarded();
  let browser: Browser;
  let operator: Visitor;
  let report: string;

  beforeAll(async () => {
    browser = await open();
    await subject.start();
    await fillWorkspace(subject.service);
    await fillPeople(subject);
    const installation = await subject.service.rest();
    poison(join(installation.env['KURIR_DATA_DIR']!, DATABASE));
    await subject.start({}, installation);
    const email = 'operator@toko.example';
    operator = await subject.personWithPassword(email, 'operator');
    await changeUser(subject.people, email, (body) => ({ ...body, name: payload('user.name') }));
    const session = { by: 'link', address: '192.0.2.1', agent: payload('session.agent') } as const;
    await beginSession(subject.people, email, session);
    const content = Buffer.from(`email,name\n${payload('import.email')},x\n`).toString('base64');
    const file = { filename: payload('import.file'), content, audience: '', email: 'email', consent: 'on' };
    report = (await operator.upload('/app/w/1/contacts/import/start', file)).location!;
  });
  afterAll(async () => {
    await browser.close();
    await subject.stop();
  });

  /** What went wrong in a browser that is open. */
  async function watched(context: BrowserContext): Promise<string[]> {
    const faults: string[] = [];
    await context.exposeFunction('evil', (field: string) => faults.push(`a script of ${field} ran`));
    await context.exposeFunction('refusedByPolicy', (what: string) => faults.push(what));
    await context.addInitScript(
      `addEventListener('securitypolicyviolation', (event) => refusedByPolicy(location.pathname + ': ' + event.violatedDirective + ' ' + event.sourceFile));`,
    );
    context.on('page', (page) => {
      page.on('dialog', (dialog) => {
        faults.push(`${page.url()}: a dialog`);
        void dialog.dismiss();
      });
      page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
      page.on('response', (answer) => {
        if (answer.status() >= 500) faults.push(`${page.url()}: ${answer.status()} ${answer.url()}`);
      });
    });
    return faults;
  }

  it('comes out as text on every screen, and runs on none', async () => {
    const session = operator.cookies.get('kurir_session')!;
    const context = await signedIn(browser, subject.origin, session, { width: 1440, colorScheme: 'light' });
    const faults = await watched(context);
    const frames = new Map<string, boolean>();
    const seen = new Set<string>();
    const look = async (page: Page, path: string): Promise<void> => {
      for (const made of await page.evaluate<string[]>(MADE)) faults.push(`${path}: ${made}`);
      const shown = await page.evaluate<string>(SHOWN);
      for (const [, field] of shown.matchAll(/\[([a-z_]+\.[a-zA-Z._]+)\]/g)) seen.add(field!);
      if (shown.includes(READ_AS_TEMPLATE)) faults.push(`${path}: a template was read`);
      for (const { src, sandbox } of await page.evaluate<{ src: string; sandbox: boolean }[]>(FRAMES)) {
        frames.set(src, sandbox);
      }
    };
    const starts = ['/app/w/1', '/app/w/1/settings/members', '/app/trail', '/app/health', '/app/me', report];
    await eachScreen(context, subject.origin, starts, look);
    const page = await context.newPage();
    for (const path of REFLECTED) {
      await page.goto(`${subject.origin}/app/w/1${path}${encodeURIComponent(payload('query.text'))}`);
      await look(page, path);
    }
    for (const [src, sandbox] of frames) {
      if (!sandbox) faults.push(`the frame ${src} has no sandbox`);
      const answer = await page.goto(subject.origin + src);
      const policy = answer?.headers()['content-security-policy'] ?? '';
      if (!/^sandbox;/.test(policy)) faults.push(`${src} has the policy ${policy}`);
    }
    await context.close();
    expect(faults).toEqual([]);
    expect(frames.size).toBeGreaterThan(0);
    expect([...seen]).toEqual(expect.arrayContaining(SEEN));
  });
});
