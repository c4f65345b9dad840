import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCREENS } from '../../dashboard/screens';
import { allOperations } from '../../operations/catalogue';
import { richWorkspace, type Things } from '../support/rich-workspace';
import { idsOf, pathOf } from './screen-paths';
import { dashboarded, type Visitor } from './visitor';

/** Operations that only read. */
const READS =
  /(^|[.-])(list|show|check|doctor|dmarc|tls|dns|form|members|ledger|balance|columns|data|links|recipients|render|versions|validate|dry-run|enrollments|posts|draft|mail|stats|deliveries|delivery|preview|summary|unknown|revenue|plan|inbox|hooks|health|log)$/;

/** How each other operation is taken back, or why nobody needs to be asked. One that cannot be is `irreversible`. */
const TAKEN_BACK: Readonly<Record<string, string>> = {
  'admin-key.create': 'admin-key.revoke',
  'audience.create': 'an empty list sends nothing',
  'audience.import': 'the page of the file is the question',
  'audience.set': 'set again',
  'audit.start': 'reads',
  'campaign.approve': 'campaign.decline',
  'campaign.ask': 'campaign.decline',
  'campaign.copy': 'campaign.delete',
  'campaign.create': 'campaign.delete',
  'campaign.decline': 'campaign.ask',
  'campaign.edit': 'edited again',
  'campaign.pause': 'campaign.resume',
  'campaign.resume': 'campaign.pause',
  'campaign.schedule': 'campaign.unschedule',
  'campaign.test': 'one mail to the address that was typed',
  'campaign.unschedule': 'campaign.schedule',
  'coins.grant': 'an operator types the sum',
  'coins.top-up': 'an operator types the sum',
  'contact.add': 'contact.delete',
  'contact.import': 'the page of the file is the question',
  'contact.rename': 'renamed again',
  'contact.resubscribe': 'the person has asked for it, and can leave again',
  'dead-letters.redrive': 'each does once what is left to do',
  'destination.resume': 'no screen performs it',
  'domain.activate': 'domain.suspend; by force its button asks',
  'domain.add': 'sends nothing until it is activated',
  'domain.rotate': 'the old key stays until the new one is found; by force its button asks',
  'domain.set': 'set again',
  'due-work.redrive': 'each does once what is left to do',
  'image.add': 'image.delete',
  'journey.create': 'journey.delete',
  'journey.edit': 'edited again',
  'journey.enroll': 'journey.remove',
  'journey.pause': 'journey.activate',
  'key.create': 'key.revoke',
  'sandbox.reset': 'no screen performs it',
  'smtp.create': 'smtp.rotate',
  'suppress.add': 'suppress.remove',
  'suppress.remove': 'suppress.add; its button asks',
  switch: 'switched again; its button asks',
  'template.create': 'template.delete',
  'template.edit': 'edited again',
  'user.enable': 'user.disable',
  'user.invite': 'user.remove',
  'user.operator': 'set again; its button asks',
  'user.reset': 'the link is shown, and changes nothing until it is opened',
  'user.role': 'set again',
  'warmup.cap': 'set again',
  'warmup.off': 'set again',
  'warmup.start': 'warmup.stop',
  'warmup.stop': 'warmup.start; its button asks',
  'webhook.create': 'webhook.delete',
  'webhook.enable': 'webhook.disable',
  'webhook.replay': 'receivers know a delivery by its id',
  'webhook.retry': 'receivers know a delivery by its id',
  'webhook.set': 'set again',
  'webhook.test': 'a test event',
  'workspace.create': 'sends nothing without a domain',
  'workspace.module': 'switched again',
  'workspace.profile': 'set again',
  'workspace.rate': 'set again',
  'workspace.resume': 'workspace.suspend',
};

describe('An operation', () => {
  it('is declared irreversible, or named with how it is taken back', async () => {
    const plain = (await allOperations()).filter(({ irreversible, name }) => !irreversible && !READS.test(name));
    const unnamed = plain.map(({ name }) => name).filter((name) => !(name in TAKEN_BACK));
    expect(unnamed).toEqual([]);
    const both = (await allOperations()).filter(({ irreversible, name }) => irreversible && name in TAKEN_BACK);
    expect(both).toEqual([]);
  });
});

/** Fields that a form sends beside what its address names. */
const FIELDS = { email: 'rina@contoh.example', key: '1', list: 'unsubscribed', reason: 'complaint' };
const ASKED = 'Are you sure?';

describe('A form without script', () => {
  const subject = dashboarded();
  let own: Things;
  let owner: Visitor;
  beforeAll(async () => {
    own = await richWorkspace(subject.service, 'toko');
    owner = await subject.person('own@toko.example', { [Number(own.workspace)]: 'owner' });
  });
  const base = (): string => `/app/w/${own.workspace}`;
  const status = async (): Promise<unknown> =>
    (await subject.service.stores.campaigns.list(Number(own.workspace)))[0]?.status;

  // docs/dashboard.md#questions: a campaign is not started by one press
  it('asks before a campaign starts: to how many, what it costs, with the way back; only the answer starts it', async () => {
    const path = `${base()}/campaigns/${own.campaign}`;
    const { html: page } = await owner.get(path);
    const question = /data-confirm="([^"]+)"[^]*?action|action="[^"]*\/send"[^>]*data-confirm="([^"]+)"/.exec(page);
    expect(question).not.toBeNull();
    const seen = /name="seen" value="([^"]+)"/.exec(page)![1]!;
    for (const language of ['en', 'id']) {
      const headers = { 'accept-language': language, referer: `${owner.origin}${path}` };
      const asked = await owner.press(`${path}/send`, { seen }, headers);
      expect(asked.status).toBe(200);
      expect(asked.html).toContain(language === 'en' ? ASKED : 'Anda yakin?');
      expect(asked.html).toMatch(language === 'en' ? /up to \d+ coins?/ : /paling banyak \d+ koin/);
      expect(asked.html).toContain('name="_sure" value="yes"');
      expect(asked.html).toContain(`name="seen" value="${seen}"`);
      expect(asked.html).toContain(`href="${path}"`);
      expect(await status()).toBe('draft');
    }
  });

  it('refuses a forged one, and one of somebody whose role is too low, before it asks', async () => {
    const path = `${base()}/campaigns/${own.campaign}/send`;
    const viewer = await subject.person('v@toko.example', { [Number(own.workspace)]: 'viewer' });
    expect((await viewer.press(path)).status).toBe(404);
    expect((await owner.press(path, { _csrf: 'x' })).status).toBe(403);
    expect((await owner.press(`${base()}/campaigns/987654/send`)).status).toBe(404);
  });

  it('asks before each act that cannot be taken back, and then does nothing', async () => {
    const posts = SCREENS.filter(({ of, method }) => of === 'workspace' && method === 'POST');
    const asked: string[] = [];
    for (const screen of posts) {
      const { html } = await owner.press(pathOf(own.workspace, screen, idsOf(screen, own)), {
        ...FIELDS,
        key: own.admin_key,
        contact: own.contact,
      });
      if (html.includes(ASKED)) asked.push(screen.path);
    }
    expect(asked).toEqual(
      expect.arrayContaining([
        '/campaigns/:id/send',
        '/campaigns/:id/cancel',
        '/campaigns/:id/delete',
        '/images/:id/delete',
        '/journeys/:id/activate',
        '/journeys/:id/delete',
        '/contacts/:id/delete',
        '/templates/:id/delete',
        '/domains/:id/suspend',
        '/webhooks/:id/delete',
        '/webhooks/:id/disable',
        '/settings/keys/:id/revoke',
        '/settings/smtp/:id/rotate',
        '/messages/:id/send-again',
      ]),
    );
    const { stores } = subject.service;
    expect(await status()).toBe('draft');
    expect(await stores.domains.get(Number(own.domain))).toMatchObject({ status: 'active' });
    expect(await stores.templates.list(Number(own.workspace))).toHaveLength(1);
    expect(
      (await stores.credentials.listKeys(Number(own.workspace))).every(({ revokedAt }) => revokedAt === null),
    ).toBe(true);
  });

  it('sends the question of its dialog along, so that the page asks the same', async () => {
    for (const screen of SCREENS.filter(({ of, method }) => of === 'workspace' && method === 'GET')) {
      const { html } = await owner.get(pathOf(own.workspace, screen, idsOf(screen, own)));
      for (const [, question = ''] of html.matchAll(/data-confirm="([^"]*)"/g)) {
        expect(html).toMatch(
          new RegExp(`name="_question"\\s+value="${question.replace(/[.*+?^$()|[\]{}\\]/g, '\\$&')}"`),
        );
      }
    }
    const asked = await owner.press(`${base()}/templates/${own.template}/delete`, { _question: 'Gone for good?' });
    expect(asked.html).toContain('Gone for good?');
  });

  it('writes no password into the page: it is typed again', async () => {
    const asked = await owner.press('/app/me/second-factor/off', { password: 'rahasia sekali', _question: 'Off?' });
    expect(asked.html).not.toContain('rahasia sekali');
    expect(asked.html).toContain('name="password" type="password"');
  });

  it('does it once the page is answered', async () => {
    const path = `${base()}/campaigns/${own.campaign}/delete`;
    expect((await owner.press(path)).html).toContain(ASKED);
    expect((await owner.press(path, { _sure: 'yes' })).status).toBe(303);
    expect((await owner.get(`${base()}/campaigns/${own.campaign}`)).status).toBe(404);
  });
});
