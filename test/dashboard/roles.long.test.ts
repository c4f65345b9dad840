import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { firstOperatorLink } from '../../dashboard';
import { freePorts } from '../../proof/crash/free-ports';
import type { Installation } from '../../proof/crash/installation';
import { eventually } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { limitFor } from '../support/limits';
import { describeInBrowser } from './browser';
import { Person, refuses, takesAtMost } from './person';
import { Dashboarded } from './visitor';

const W = '/app/w/1';
/** A task has several waits. */
const LIMIT = limitFor(2);
const CSV = 'email,name\nrina@penerima.example,Rina\nhardbounce@penerima.example,Budi\nbukan alamat,Siapa\n';

/** Each role does its tasks, from its link to the result, in one installation after the other. */
function tasks(open: () => Promise<Browser>, install: () => Installation): void {
  const subject = new Dashboarded();
  const people = new Map<string, Person>();
  const invitations = new Map<string, string>();
  let browser: Browser;
  let endpoint: Server;
  let hook: string;
  const calls: string[] = [];

  beforeAll(async () => {
    // Links to invite need a port that is known before the start.
    const [port] = await freePorts(1);
    const env = { KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1', KURIR_HTTP_PORT: String(port) };
    await subject.start(env, install());
    browser = await open();
    endpoint = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => (body += String(chunk)));
      request.on('end', () => {
        calls.push(body);
        response.end('ok');
      });
    }).listen(0, '127.0.0.1');
    await once(endpoint, 'listening');
    hook = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/hook`;
  });
  afterAll(async () => {
    await browser.close();
    endpoint.close();
    await subject.stop();
    await subject.service.installation.remove();
  });

  const arrive = async (role: string): Promise<Person> => {
    const person = await Person.begin(browser, subject.origin);
    await person.claim(invitations.get(role) ?? '');
    people.set(role, person);
    return person;
  };
  const called = async (event: string, least: number): Promise<void> => {
    const count = (): number => calls.filter((body) => body.includes(`"${event}"`)).length;
    await eventually(async () => expect(count()).toBeGreaterThanOrEqual(least));
  };

  it(
    'the operator claims the installation and invites the others',
    async () => {
      const operator = await Person.begin(browser, subject.origin);
      await operator.claim((await firstOperatorLink(subject.service.kurir.services))!, 'operator@toko.example');
      for (const role of ['owner', 'developer', 'editor', 'viewer']) {
        await operator.follow('Users');
        await operator.fill({ 'Email address': `${role}@toko.example` });
        await operator.choose('Workspace', 'Demo');
        await operator.choose('Role', new RegExp(`^${role}`));
        await operator.push('Invite');
        invitations.set(role, (await operator.page.locator('main pre').innerText()).trim());
      }
      await operator.follow('Health');
      await operator.reads('Event log');
      await operator.close();
      expect(new Set(invitations.values()).size).toBe(4);
    },
    LIMIT,
  );

  it(
    'the owner adds a domain, makes a key, and wants to approve campaigns',
    async () => {
      const owner = await arrive('owner');
      owner.count();
      await owner.follow('Domains');
      await owner.fill({ Domain: 'toko.example' });
      await owner.push('Add domain');
      await owner.reads('toko.example added');
      await owner.push('Activate');
      await owner.reads('Not activated');
      await owner.push('Activate anyway');
      await owner.reads('toko.example is active and can send');
      takesAtMost(owner, { pages: 6, clicks: 4, fields: 1 });
      await owner.follow('Settings');
      await owner.click(owner.page.getByText('Create API key').first());
      await owner.fill({ Name: 'toko' });
      await owner.push('Create API key');
      expect(await owner.text()).toMatch(/kurir_sk_\w{32}/);
      await owner.follow('Settings');
      await owner.fill({ 'Business address': 'Jl. Melati 1, Bandung' });
      await owner.page.getByLabel('Require an owner’s approval for campaigns by editors').check();
      await owner.push('Save');
      await owner.reads('Saved.');
    },
    LIMIT,
  );

  it(
    'the developer says why a mail did not arrive, makes a webhook and replays it',
    async () => {
      const bounced = await subject.service.send('hardbounce@orang.example', { subject: 'Nota 7' });
      await subject.service.untilStatus(bounced, 'bounced');
      const developer = await arrive('developer');
      developer.count();
      await developer.follow('Messages');
      await developer.fill({ 'Recipient or message ID': 'hardbounce@orang.example' });
      await developer.push('Search');
      await developer.follow('Nota 7');
      expect(await developer.text()).toMatch(/bounced.*5\.1\.1/);
      takesAtMost(developer, { pages: 4, clicks: 4, fields: 1 });
      await developer.follow('Webhooks');
      await developer.fill({ URL: hook });
      await developer.page.getByLabel('delivered', { exact: true }).check();
      await developer.push('Add webhook');
      await developer.reads('You will not see it again');
      await subject.service.untilStatus(await subject.service.send('ani@orang.example'), 'delivered');
      await called('delivered', 1);
      await developer.follow('View webhook');
      await developer.click(developer.page.locator('main summary'));
      // An hour ago, as the field of a browser has it: in WIB, without a zone.
      const from = new Date(subject.service.clock.now() + 6 * 3_600_000).toISOString().slice(0, 16);
      await developer.fill({ 'From (WIB)': from });
      await developer.click(developer.page.locator('main details').getByRole('button'));
      await developer.reads(/[1-9]\d* events? queued/);
      await called('delivered', 2);
      await developer.click(developer.page.locator('main tbody a').first());
      await developer.reads('Response 200');
    },
    LIMIT,
  );

  it(
    'the editor makes an audience and a campaign, tries it, and asks for approval',
    async () => {
      const editor = await arrive('editor');
      await editor.follow('Audiences');
      await editor.follow('New audience');
      await editor.fill({ Name: 'Pelanggan' });
      await editor.choose('Opt-in', 'Single (no confirmation)');
      await editor.push('Create audience');
      await editor.follow('Contacts');
      await editor.follow('Import contacts');
      const file = { name: 'kontak.csv', mimeType: 'text/csv', buffer: Buffer.from(CSV) };
      await editor.page.setInputFiles('input[type=file]', file);
      await editor.choose('Add to audience', 'Pelanggan');
      await editor.push('Continue');
      await editor.page.getByLabel('These contacts have consented to receive email').check();
      await editor.push('Import');
      await editor.reads('Rejected rows');
      expect(await editor.text()).toMatch(/New contacts 2/);
      editor.count();
      await editor.follow('Campaigns');
      await editor.follow('New campaign');
      await editor.fill({ Subject: 'Promo {{nama|Kak}}' });
      await editor.choose('Audience', /^Pelanggan/);
      await editor.choose('Sending domain', 'toko.example');
      await editor.write('b.0.text', 'Halo {{nama|Kak}}');
      await editor.write('b.1.text', 'Hanya **hari ini**.');
      await editor.write('b.2.label', 'Lihat');
      await editor.write('b.2.url', 'https://toko.example/promo');
      await editor.push('Create draft');
      await editor.fill({ 'Email address': 'uji@toko.example' });
      await editor.push('Send test email');
      await editor.reads('Test email queued.');
      expect(await editor.offers('Send now')).toBe(false);
      await editor.push('Request approval');
      await editor.reads('requested approval on');
      takesAtMost(editor, { pages: 8, clicks: 7, fields: 8 });
    },
    LIMIT,
  );

  it(
    'the owner approves it, it is sent, and its live page adds up',
    async () => {
      const owner = people.get('owner')!;
      await owner.follow('Overview');
      await owner.click(owner.page.getByRole('link', { name: /awaiting approval/ }));
      await owner.push('Approve');
      await owner.push('Send now');
      await owner.reads('Recipients 2 = 1 delivered + 1 bounced + 0 failed + 0 skipped + 0 queued');
      await owner.follow('Recipients');
      await owner.reads('rina@penerima.example');
    },
    LIMIT,
  );

  it(
    'the editor makes a journey with a wait and a condition, simulates it, and starts it',
    async () => {
      const editor = people.get('editor')!;
      const mail = async (subjectLine: string): Promise<void> => {
        await editor.choose('Sending domain', 'toko.example');
        await editor.fill({
          Subject: subjectLine,
          HTML: '<p>Halo <a href="https://toko.example/">toko</a></p>',
        });
      };
      editor.count();
      await editor.follow('Journeys');
      await editor.follow('New journey');
      await editor.fill({ Name: 'Sambutan' });
      await editor.choose('Trigger', /API/);
      await mail('Selamat datang');
      await editor.push('Create draft');
      for (const [kind, make] of [
        ['Wait', () => editor.fill({ Duration: '2' })],
        ['Condition', () => editor.choose('Condition', /Opened/)],
      ] as const) {
        await editor.follow(kind);
        await make();
        await editor.push('Add step');
      }
      await editor.click(editor.page.getByRole('link', { name: /Add a step for “no”/ }));
      await editor.click(editor.page.locator('main .card a', { hasText: 'Email' }).first());
      await mail('Sudah lihat?');
      await editor.push('Add step');
      await editor.follow('Simulation');
      await editor.push('Run simulation');
      await editor.reads('Day 3');
      await editor.reads('Sudah lihat?');
      await editor.page.goBack();
      await editor.page.goBack();
      await editor.push('Publish');
      await editor.push('Start');
      takesAtMost(editor, { pages: 16, clicks: 14, fields: 10 });
      await editor.fill({ 'Email address': 'rina@penerima.example' });
      await editor.page.getByLabel('This contact has consented to receive email').check();
      await editor.push('Add contact');
      await editor.reads('rina@penerima.example added to the journey');
    },
    LIMIT,
  );

  it(
    'the viewer sees all of it, and changes nothing',
    async () => {
      const viewer = await arrive('viewer');
      await viewer.follow('Campaigns');
      expect(await viewer.offers('New campaign')).toBe(false);
      await viewer.follow('Promo {{nama|Kak}}');
      await viewer.reads('1 delivered + 1 bounced');
      const campaign = new URL(viewer.page.url()).pathname;
      for (const name of ['Duplicate as draft', 'Send test email']) expect(await viewer.offers(name)).toBe(false);
      await viewer.follow('Journeys');
      await viewer.follow('Sambutan');
      for (const name of ['Pause', 'Edit', 'Add contact']) expect(await viewer.offers(name)).toBe(false);
      for (const path of [`${campaign}/copy`, `${W}/journeys/1/pause`, `${W}/domains/1/suspend`, `${W}/keys`]) {
        expect([403, 404]).toContain(await viewer.sendAnyway(path));
      }
      for (const path of [`${W}/webhooks`, `${W}/settings/members`, '/app/users', '/app/health', '/app/w/2']) {
        await refuses(viewer, subject.origin + path);
      }
      expect((await subject.service.stores.campaigns.list(1)).length).toBe(1);
    },
    LIMIT,
  );
}

describe('the tasks of each role, in a browser', () => {
  describeInBrowser('from the link to the result', (open) => {
    describeOnEngines('each role', (install) => tasks(open, install));
  });
});
