import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Services } from '../../app/shared-services';
import { USERS, accessOfUser, NEW_USER, setMembership } from '../../operations/people/people';
import { beginSession, findSession } from '../../operations/people/sessions';
import type { WorkspaceRole } from '../../domain/people/role';
import { allOperations, findOperation } from '../../operations/catalogue';
import { performFor } from '../../operations/perform';
import type { Input } from '../../operations/definition';
import { Keyed } from '../api/admin/keyed';
import { frozenClock } from '../support/clock';
import { fillForEveryOperation, inputOf, LINES, PACED, type Words } from '../support/every-operation';

/** Who tries: with a role in the workspace of the table, in another workspace, or in none. */
const PEOPLE = ['operator', 'owner', 'developer', 'editor', 'viewer', 'other', 'nobody'] as const;
type Person = (typeof PEOPLE)[number];

/**
 * Written by hand, by what docs/dashboard.md says of the roles: `+` does it, `-` may not (403), and to `.` it is not
 * there (404). A star: the form that is about the whole installation, or that looks past what a workspace may.
 */
const TABLE = `
                          operator, owner, developer, editor, viewer, other workspace, nobody
  workspace.create        + - - - - - -
  workspace.list          + - - - - - -
  workspace.show          + + + + + . .
  workspace.suspend       + - - - - . .
  workspace.resume        + - - - - . .
  workspace.module        + - - - - . .
  workspace.rate          + - - - - . .
  workspace.profile       + + - - - . .
  key.create              + + + - - . .
  key.list                + + + - - . .
  key.show                + + + - - . .
  key.revoke              + + + - - . .
  smtp.create             + + + - - . .
  smtp.list               + + + - - . .
  smtp.show               + + + - - . .
  smtp.rotate             + + + - - . .
  domain.add              + + + - - . .
  domain.list             + + + + + . .
  domain.show             + + + + + . .
  domain.check            + + + + + . .
  domain.activate         + + + - - . .
  domain.suspend          + + + - - . .
  domain.set              + + + - - . .
  domain.rotate           + + + - - . .
  domain.dns              + - - - - - -
  domain.doctor           + + + + + . .
  domain.dmarc            + + + + + . .
  domain.tls              + + + + + . .
  coins.top-up            + - - - - . .
  coins.grant             + - - - - . .
  coins.balance           + + + + + . .
  coins.ledger            + + + + + . .
  suppress.add            + + + - - . .
  suppress.remove         + + + - - . .
  suppress.list           + + + + + . .
  suppress.check          + + + + + . .
  contact.list            + + + + + . .
  contact.show            + + + + + . .
  contact.data            + + - + - . .
  contact.add             + + - + - . .
  contact.rename          + + - + - . .
  contact.columns         + + - + - . .
  contact.import          + + - + - . .
  contact.resubscribe     + + - + - . .
  contact.delete          + + - + - . .
  audience.create         + + - + - . .
  audience.list           + + + + + . .
  audience.show           + + + + + . .
  audience.set            + + - + - . .
  audience.import         + + - + - . .
  audience.members        + + + + + . .
  audience.form           + + + + + . .
  campaign.create         + + - + - . .
  campaign.edit           + + - + - . .
  campaign.copy           + + - + - . .
  campaign.delete         + + - + - . .
  campaign.list           + + + + + . .
  campaign.show           + + + + + . .
  campaign.links          + + + + + . .
  campaign.test           + + - + - . .
  campaign.render         + + + + + . .
  campaign.ask            + + - + - . .
  campaign.approve        + + - - - . .
  campaign.decline        + + - - - . .
  campaign.schedule       + + - + - . .
  campaign.unschedule     + + - + - . .
  campaign.send           + + - + - . .
  campaign.pause          + + - + - . .
  campaign.resume         + + - + - . .
  campaign.cancel         + + - + - . .
  campaign.recipients     + + + + + . .
  image.add               + + - + - . .
  image.list              + + + + + . .
  image.delete            + + - + - . .
  template.create         + + - + - . .
  template.edit           + + - + - . .
  template.list           + + + + + . .
  template.show           + + + + + . .
  template.preview        + + + + + . .
  template.delete         + + - + - . .
  journey.validate        + + - + - . .
  journey.create          + + - + - . .
  journey.edit            + + - + - . .
  journey.draft           + + - + - . .
  journey.discard         + + - + - . .
  journey.show            + + + + + . .
  journey.versions        + + + + + . .
  journey.dry-run         + + + + + . .
  journey.list            + + + + + . .
  journey.activate        + + - + - . .
  journey.enroll          + + - + - . .
  journey.enrollments     + + + + + . .
  journey.posts           + + + + + . .
  journey.remove          + + - + - . .
  journey.pause           + + - + - . .
  journey.delete          + + - + - . .
  journey.rotate-secret   + + - + - . .
  conversion.list         + + + + + . .
  conversion.show         + + + + + . .
  conversion.revenue      + + + + + . .
  webhook.list            + + + - - . .
  webhook.show            + + + - - . .
  webhook.create          + + + - - . .
  webhook.delete          + + + - - . .
  webhook.deliveries      + + + - - . .
  webhook.delivery        + + + - - . .
  webhook.retry           + + + - - . .
  webhook.test            + + + - - . .
  webhook.replay          + + + - - . .
  webhook.enable          + + + - - . .
  webhook.disable         + + + - - . .
  switch                  + - - - - - -
  warmup.cap              + - - - - - -
  warmup.off              + - - - - - -
  warmup.show             + - - - - - -
  warmup.start            + + + - - . .
  warmup.plan             + + + + + . .
  warmup.stop             + + + - - . .
  message.show            + + + + + . .
  message.list            + + + + + . .
  message.stats           + + + + + . .
  message.mail            + + + + + . .
  message.send-again      + + + - - . .
  queue.list              + - - - - - -
  destination.list        + - - - - - -
  destination.resume      + - - - - - -
  alarm.list              + - - - - - -
  bounce.unknown          + - - - - - -
  bounce.list             + - - - - - -
  bounce.summary          + - - - - - -
  dead-letters.list       + - - - - - -
  dead-letters.redrive    + - - - - - -
  due-work.list           + - - - - - -
  due-work.redrive        + - - - - - -
  sandbox.inbox           + - - - - - -
  sandbox.hooks           + - - - - - -
  sandbox.reset           + - - - - - -
  health                  + - - - - - -
  audit.start             + - - - - - -
  doctor                  + - - - - - -
  admin-key.create        + + - - - . .
  admin-key.list          + + - - - . .
  admin-key.revoke        + + - - - . .
  user.invite             + + - - - . .
  user.list               + + - - - . .
  user.reset              + - - - - - -
  user.role               + + - - - . .
  user.remove             + + - - - . .
  user.disable            + - - - - - -
  user.enable             + - - - - - -
  log                     + - - - - - -
  domain.list*            + - - - - - -
  webhook.list*           + - - - - - -
  user.list*              + - - - - - -
  admin-key.list*         + - - - - - -
  admin-key.create*       + - - - - - -
  admin-key.revoke*       + - - - - - -
  user.invite*            + - - - - - -
  user.role*              + - - - - - -
  suppress.add*           + - - - - - -
  suppress.list*          + - - - - - -
  suppress.check*         + - - - - - -
  suppress.remove*        + - - - - - -
  domain.check*           + - - - - . .
  domain.doctor*          + - - - - . .
  domain.dmarc*           + - - - - . .
  domain.activate*        + - - - - . .
  domain.rotate*          + - - - - . .
`;

/** Lines that stand for those of the command line, where these are about the installation, or to be tried on a copy. */
const OTHER_LINES: Readonly<Record<string, string>> = {
  'domain.list': 'Demo',
  'webhook.list': 'Demo',
  'admin-key.list': '--workspace Demo',
  'admin-key.revoke': 'ci --workspace Demo',
  'user.list': '--workspace Demo',
  'domain.check': 'melati.example',
  'domain.doctor': 'melati.example',
  'domain.activate': 'melati.example --force',
  'campaign.render': 'Demo 2',
  'audit.start': '',
  'domain.list*': '',
  'webhook.list*': '',
  'user.list*': '',
  'admin-key.list*': '',
  'admin-key.create*': 'all --installation --role viewer',
  'admin-key.revoke*': 'all',
  'user.invite*': 'rina@melati.example --operator',
  'user.role*': 'budi@melati.example --operator on',
  'suppress.add*': 'budi@example.com --global',
  'suppress.list*': '--global',
  'suppress.check*': 'budi@example.com --global',
  'suppress.remove*': 'budi@example.com --global',
  'domain.check*': 'melati.example --resolver 127.0.0.1:1',
  'domain.doctor*': 'melati.example --resolver 127.0.0.1:1',
  'domain.dmarc*': 'melati.example --resolver 127.0.0.1:1',
  'domain.activate*': 'melati.example --resolver 127.0.0.1:1',
  'domain.rotate*': 'melati.example --activate --resolver 127.0.0.1:1',
};

type Marks = Readonly<Record<Person, string>>;
const ROWS = new Map<string, Marks>(
  TABLE.trim()
    .split('\n')
    .slice(1)
    .map((row) => {
      const [name = '', ...marks] = row.trim().split(/ +/);
      return [name, Object.fromEntries(PEOPLE.map((person, i) => [person, marks[i] ?? ''])) as Marks] as const;
    }),
);
const STATUS: Readonly<Record<string, number>> = { '+': 200, '-': 403, '.': 404 };

/** The rows in the order in which each finds what it needs: that of the command line. */
function inOrder(): string[] {
  const lines = Object.keys(LINES).map((path) => path.replace(' ', '.'));
  const place = (name: string): number => {
    const at = lines.indexOf(name === 'campaign.render' ? 'campaign.preview' : name);
    return at === -1 ? lines.length : at;
  };
  return [...ROWS.keys()].sort((a, b) => place(a) - place(b));
}

interface Answered {
  status: number;
  said: unknown;
}
type Via = (by: Person, operation: string, input: Input) => Promise<Answered>;

/** An installation with the workspace of the table, another one, and somebody of each kind at both interfaces. */
class World {
  private readonly keys = new Map<Person, string>();
  private readonly sessions = new Map<Person, string>();

  private constructor(
    private readonly keyed: Keyed,
    private readonly words: Words,
  ) {}

  static async make(): Promise<World> {
    const keyed = await Keyed.start(PACED, frozenClock());
    const words = await fillForEveryOperation(keyed.running);
    const world = new World(keyed, words);
    const { stores } = keyed.running;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Kenanga' });
    for (const person of PEOPLE) await world.admit(person, other.id);
    return world;
  }

  stop = (): Promise<void> => this.keyed.running.stop();

  private async admit(person: Person, other: number): Promise<void> {
    const { people } = this;
    const user = `${person}@kurir.example`;
    const now = people.clock.now();
    const body = { ...NEW_USER, operator: person === 'operator', createdAt: now };
    await people.records.add(USERS, { id: user, user, body }, now);
    this.sessions.set(
      person,
      await beginSession(people, user, { by: 'password', address: '127.0.0.1', agent: 'test' }),
    );
    if (person === 'nobody') return;
    const role = person === 'other' ? 'owner' : person;
    const workspaceId = person === 'operator' ? null : person === 'other' ? other : 1;
    this.keys.set(person, await this.keyed.key({ name: `key of ${person}`, role, workspaceId }));
    if (workspaceId !== null) await setMembership(people, { user, workspaceId, role: role as WorkspaceRole });
  }

  get services(): Services {
    return this.keyed.running.kurir.services;
  }

  private get people() {
    const { engine, clock } = this.services;
    return { records: engine.stores.records, clock };
  }

  readonly byKey: Via = async (by, name, input) => {
    const body = JSON.stringify(input);
    const { status, body: said } = await this.keyed.request('POST', `/${name}`, this.keys.get(by) ?? null, body);
    return { status, said };
  };

  readonly bySession: Via = (by, name, input) => this.perform(by, name, input);

  async perform(by: Person, name: string, input: Input, services = this.services): Promise<Answered> {
    const found = await findSession(this.people, this.sessions.get(by)!);
    const access = await accessOfUser(this.people, found!.user);
    const operation = (await findOperation(name))!;
    const performer = { actor: found!.user.id, access };
    const done = await performFor(services, performer, operation, input);
    return done.ok ? { status: 200, said: done.json } : { status: done.fault.status, said: done.fault };
  }

  /** What a row tries. Melati is made by a line of its own; the others are about the workspace of the table. */
  async tryOf(row: string): Promise<{ name: string; input: Input }> {
    const name = row.replace('*', '');
    const path = name.replace('.', ' ');
    const line = OTHER_LINES[row] ?? LINES[path]?.slice(path.length).trim() ?? '';
    const words = line.split(' ').filter((word) => word !== '');
    const operation = (await findOperation(name))!;
    const known = (word: string): string =>
      this.words[word] ?? (word === 'Melati' && path !== 'workspace create' ? 'Demo' : word);
    return { name, input: inputOf(operation, words.map(known)) };
  }
}

// spec: docs/contract.md#dashboard-operations: every role and every operation, held against one table
describe('the table of roles and operations', () => {
  it('has a row for every operation, and no other', async () => {
    const names = (await allOperations()).map(({ name }) => name);
    expect([...ROWS.keys()].filter((row) => !row.endsWith('*')).sort()).toEqual([...names].sort());
    for (const [row, marks] of ROWS)
      expect([row, Object.values(marks).join('')]).toEqual([row, expect.stringMatching(/^[+.-]{7}$/)]);
  });

  // What is done is done by one interface only, turn about; with the next person by the other one.
  describe.each(['operator', 'owner', 'developer', 'editor', 'viewer'] as const)('with one who is %s', (person) => {
    let world: World;
    beforeAll(async () => {
      world = await World.make();
    });
    afterAll(() => world.stop());

    it('holds in every row, at both interfaces', async () => {
      const faults: unknown[] = [];
      for (const [i, row] of inOrder().entries()) {
        const marks = ROWS.get(row)!;
        const { name, input } = await world.tryOf(row);
        const attempt = async (by: Person, via: 'byKey' | 'bySession', status: number): Promise<void> => {
          const answered = await world[via](by, name, input);
          if (answered.status !== status) faults.push({ row, by, via, expected: status, ...answered, input });
        };
        // Whoever may not tries first, in one of the worlds: had anything been done, the one who may would find it.
        const refused = person === 'operator' ? PEOPLE.filter((one) => marks[one] !== '+') : [];
        for (const by of refused) {
          await attempt(by, 'byKey', by === 'nobody' ? 401 : STATUS[marks[by]]!);
          await attempt(by, 'bySession', STATUS[marks[by]]!);
        }
        const via = (i + PEOPLE.indexOf(person)) % 2 ? 'byKey' : 'bySession';
        await attempt(marks[person] === '+' ? person : 'operator', via, 200);
      }
      expect(faults).toEqual([]);
    });
  });
});

describe('a domain on a real sending server', () => {
  let world: World;
  beforeAll(async () => {
    world = await World.make();
  });
  afterAll(() => world.stop());

  // spec: docs/contract.md#dashboard-operations: only an operator activates a domain unseen
  it('is activated unseen by an operator alone', async () => {
    const input = { domain: 1, force: true };
    const services = { ...world.services, config: { ...world.services.config, mtaUrl: 'smtp://127.0.0.1:25' } };
    const by = (person: Person) => world.perform(person, 'domain.activate', input, services);
    for (const person of ['owner', 'developer'] as const) {
      expect(await by(person)).toMatchObject({ status: 403, said: { field: 'force' } });
    }
    expect(await by('operator')).toMatchObject({ status: 200, said: { status: 'active' } });
  });
});
