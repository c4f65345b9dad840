import { beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { DATABASE } from '../../operations/installation/data-dir';
import { SCREENS } from '../../dashboard/screens';
import { accessOf } from '../../domain/people/access';
import { allOperations } from '../../operations/catalogue';
import { performFor } from '../../operations/perform';
import type { Operation } from '../../operations/definition';
import { frozenClock } from '../support/clock';
import { fillForEveryOperation, inputOf, LINES, PACED, type Words } from '../support/every-operation';
import { richWorkspace, type Things } from '../support/rich-workspace';
import { Running, temporaryInstallation } from '../support/running';
import { idsOf, pathOf } from './screen-paths';
import { dashboarded, type Visitor } from './visitor';

const EVERYTHING = accessOf({ everywhere: 'operator', workspaces: new Map() });
/** Lines in place of those of the command line, whose files and words other interfaces do not have. */
const OTHER_LINES: Readonly<Record<string, string>> = {
  'campaign.render': 'Demo 2',
  'audit.start': '',
};

/**
 * What every table holds, by its name. Left out are the trail, where a view of a secret stands, and leases of parts.
 */
function tablesOf({ dataDir }: Running): Map<string, string> {
  const db = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
  try {
    const names = db.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as { name: string }[];
    const rows = (name: string): string =>
      JSON.stringify(db.prepare(`SELECT * FROM "${name}"`).all(), (_, value: unknown) =>
        typeof value === 'bigint' ? String(value) : value,
      );
    return new Map(
      names.filter(({ name }) => !/^(operator_log|leases|sqlite_)/.test(name)).map(({ name }) => [name, rows(name)]),
    );
  } finally {
    db.close();
  }
}

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
  'contact.add': 'contact.delete',
  'contact.import': 'the page of the file is the question',
  'contact.rename': 'renamed again',
  'contact.resubscribe': 'the person has asked for it, and can leave again',
  'dead-letters.redrive': 'each does once what is left to do',
  'destination.resume': 'no screen performs it',
  'domain.add': 'sends nothing until it is activated',
  'domain.dns': 'set again',
  'domain.set': 'set again',
  'due-work.redrive': 'each does once what is left to do',
  'image.add': 'image.delete',
  'journey.create': 'journey.delete',
  'journey.draft': 'journey.discard',
  'journey.edit': 'edited again',
  'journey.enroll': 'journey.remove',
  'journey.pause': 'journey.activate',
  'key.create': 'key.revoke',
  'sandbox.reset': 'no screen performs it',
  'smtp.create': 'smtp.rotate',
  'suppress.add': 'suppress.remove',
  'template.create': 'template.delete',
  'template.edit': 'edited again',
  'user.enable': 'user.disable',
  'user.invite': 'user.remove',
  'warmup.cap': 'set again',
  'warmup.start': 'warmup.stop',
  'webhook.create': 'webhook.delete',
  'webhook.enable': 'webhook.disable',
  'webhook.replay': 'receivers know a delivery by its id',
  'webhook.retry': 'receivers know a delivery by its id',
  'webhook.test': 'a test event',
  'workspace.create': 'sends nothing without a domain',
  'workspace.module': 'switched again',
  'workspace.profile': 'set again',
  'workspace.rate': 'set again',
  'workspace.resume': 'workspace.suspend',
};

describe('An operation', () => {
  it('is declared irreversible, or named with how it is taken back, unless it was seen to change no data', async () => {
    const running = await Running.startOn(temporaryInstallation(), PACED, frozenClock());
    const unnamed: string[] = [];
    const changing: string[] = [];
    try {
      const words = await fillForEveryOperation(running);
      for (const operation of await inOrder()) {
        const { name, irreversible } = operation;
        const found = await changedBy(running, operation, words);
        if (found.length > 0) changing.push(name);
        if (found.length > 0 && !irreversible && !(name in TAKEN_BACK)) unnamed.push(`${name}: ${found.join(', ')}`);
      }
    } finally {
      await running.stop();
    }
    expect(unnamed).toEqual([]);
    // Had nothing been compared, nothing would have been found.
    expect(changing).toEqual(expect.arrayContaining(['campaign.send', 'contact.rename', 'key.create', 'user.role']));
  });

  it('is not named as one that is taken back where all of it asks, nor where there is none', async () => {
    const names = new Map((await allOperations()).map(({ name, irreversible }) => [name, irreversible]));
    expect(Object.keys(TAKEN_BACK).filter((name) => names.get(name) !== false)).toEqual([]);
  });
});

/** The operations in the order in which each finds what it needs. */
async function inOrder(): Promise<Operation[]> {
  const places = Object.keys(LINES).map((path) => path.replace(' ', '.'));
  const place = ({ name }: Operation): number => {
    const at = places.indexOf(name === 'campaign.render' ? 'campaign.preview' : name);
    return at === -1 ? places.length : at;
  };
  return [...(await allOperations())].sort((a, b) => place(a) - place(b));
}

/** The tables that an operation changes. Work beside it may change some too: what reads is seen to change none soon. */
async function changedBy(running: Running, operation: Operation, words: Words): Promise<string[]> {
  const path = operation.name.replace('.', ' ');
  const line = OTHER_LINES[operation.name] ?? LINES[path]!.slice(path.length).trim();
  const said = line.split(' ').filter((word) => word !== '');
  const input = inputOf(
    operation,
    said.map((word) => words[word] ?? word),
  );
  let tables: string[] = [];
  for (let n = 0; n < 3; n += 1) {
    const before = tablesOf(running);
    const performer = { actor: 'test', access: EVERYTHING };
    const done = await performFor(running.kurir.services, performer, operation, input);
    // What it changed the first time may be refused the second.
    if (n === 0) expect([operation.name, done]).toEqual([operation.name, expect.objectContaining({ ok: true })]);
    const after = tablesOf(running);
    tables = [...after].flatMap(([name, rows]) => (rows === before.get(name) ? [] : [name]));
    if (tables.length === 0 || operation.irreversible || operation.name in TAKEN_BACK) return tables;
  }
  return tables;
}
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
      expect(asked.html).toMatch(language === 'en' ? /Up to \d+ coins?/ : /Maksimal \d+ koin/);
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

  // docs/dashboard.md#questions: the workspace, the amount and the balance after it
  it.each(['top-up', 'grant'])(
    'asks before coins are booked by %s: whose, how many, and the balance after',
    async (name) => {
      const operator = await subject.person(`${name}@kurir.example`, 'operator');
      const path = `/app/workspaces/${own.workspace}`;
      const balance = async (): Promise<number> =>
        (await subject.service.stores.coins.account(Number(own.workspace))).balance;
      const before = await balance();
      const fields = { coins: '150000', reference: `order ${name}` };
      for (const [language, title] of [
        ['en', 'Balance after'],
        ['id', 'Saldo setelahnya'],
      ] as const) {
        const asked = await operator.press(`${path}/${name}`, fields, { 'accept-language': language });
        expect(asked.html).toContain(language === 'en' ? ASKED : 'Anda yakin?');
        expect(asked.html).toContain('toko');
        expect(asked.html).toContain((150_000).toLocaleString(language === 'id' ? 'id-ID' : 'en-GB'));
        expect(asked.html).toContain(title);
        expect(asked.html).toContain((before + 150_000).toLocaleString(language === 'id' ? 'id-ID' : 'en-GB'));
        expect(asked.html).toContain(`name="reference" value="order ${name}"`);
        expect(await balance()).toBe(before);
      }
      expect((await operator.press(`${path}/${name}`, { ...fields, coins: 'banyak' })).status).toBe(422);
      expect((await operator.press(`${path}/${name}`, { ...fields, _sure: 'yes' })).status).toBe(303);
      expect(await balance()).toBe(before + 150_000);
    },
  );

  it('asks where no dialog was shown before what an input makes irreversible, and only then', async () => {
    const operator = await subject.person('op@kurir.example', 'operator');
    const domain = `${base()}/domains/${own.domain}`;
    const asks: [Visitor, string, Record<string, string>][] = [
      [operator, '/app/health/switch', { what: 'module', state: 'off' }],
      [operator, `/app/users/${encodeURIComponent('own@toko.example')}/operator`, { operator: 'on' }],
      [operator, `${domain}/activate`, { force: 'on' }],
      [owner, `${base()}/suppressions/remove`, { email: 'rina@contoh.example' }],
    ];
    for (const [by, path, fields] of asks)
      expect([path, (await by.press(path, fields)).html]).toEqual([path, expect.stringContaining(ASKED)]);
    const made = await owner.press(`${domain}/rotate`);
    expect(made.status).toBe(303);
    for (const fields of [{ activate: 'on' }, { cancel: 'on' }] as Record<string, string>[]) {
      expect((await owner.press(`${domain}/rotate`, fields)).html).toContain(ASKED);
    }
    const on = await operator.press('/app/health/switch', { what: 'module', state: 'on' });
    expect(on.status).toBe(303);
  });

  it('does it once the page is answered', async () => {
    const path = `${base()}/campaigns/${own.campaign}/delete`;
    expect((await owner.press(path)).html).toContain(ASKED);
    expect((await owner.press(path, { _sure: 'yes' })).status).toBe(303);
    expect((await owner.get(`${base()}/campaigns/${own.campaign}`)).status).toBe(404);
  });
});
