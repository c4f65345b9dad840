import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { DATABASE } from '../../operations/installation/data-dir';
import { allOperations } from '../../operations/catalogue';
import { inputSchema } from '../../operations/definition';
import { Keyed } from '../api/admin/keyed';
import { SAMPLE_PNG } from '../support/images';
import { NOTHING, richWorkspace, type Thing, type Things } from '../support/rich-workspace';

/** Fields that name a thing under another name than its own, by operation. */
const MEANS: Readonly<Record<string, Readonly<Record<string, Thing>>>> = {
  'message.show': { id: 'message' },
  'message.mail': { id: 'message' },
  'message.send-again': { id: 'message' },
  'conversion.show': { id: 'conversion' },
  'contact.show': { email: 'contact' },
  'contact.data': { email: 'contact' },
  'contact.rename': { email: 'contact' },
  'contact.resubscribe': { email: 'contact' },
  'contact.delete': { email: 'contact' },
  'journey.remove': { email: 'contact' },
  'admin-key.revoke': { key: 'admin_key' },
  'user.invite': { email: 'user' },
  'user.role': { email: 'user' },
  'user.remove': { email: 'user' },
};
const THING_FIELDS: Readonly<Record<string, Thing>> = {
  workspace: 'workspace',
  domain: 'domain',
  audience: 'audience',
  contact: 'contact',
  template: 'template',
  journey: 'journey',
  campaign: 'campaign',
  webhook: 'webhook',
  delivery: 'delivery',
  message: 'message',
  key: 'key',
  login: 'login',
  image: 'image',
};

/** Good values of the other fields that must be given, or without which nothing is looked at. */
const GOOD: Readonly<Record<string, unknown>> = {
  name: 'baru',
  subject: 'Hai',
  html: '<p>Hai</p>',
  email: 'rina@lain.example',
  emails: ['rina@lain.example'],
  address: 'rina@lain.example',
  consent: true,
  at: '2999-01-01T00:00:00Z',
  from: '2026-01-01T00:00:00Z',
  url: 'https://93.184.216.34/hook',
  events: 'bounce',
  coins: 5,
  state: true,
  role: 'viewer',
  destination: 'google',
};
const JOURNEY_FILE = JSON.stringify({ name: 'baru', trigger: 'api', steps: [{ type: 'wait', for: '3d' }] });
const FILES: Readonly<Record<string, string>> = {
  contact: 'email\nrina@lain.example\n',
  audience: 'email\nrina@lain.example\n',
  journey: JOURNEY_FILE,
  image: SAMPLE_PNG.toString('base64'),
};

/** What some operations need besides, to look anything up. */
const MORE: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'contact.rename': { name: 'baru' },
  'domain.add': { name: 'baru.example' },
  'suppress.add': { emails: GOOD['emails'] },
  'workspace.profile': { address: 'Bandung' },
  'workspace.rate': { per_minute: 5 },
  'audience.set': { opt_in: 'double' },
  'campaign.edit': { subject: 'Hai' },
  'template.edit': { subject: 'Hai' },
  'domain.set': { category: 'transactional' },
  'user.invite': { role: 'viewer' },
  'user.role': { role: 'viewer' },
};

interface Attempt {
  operation: string;
  /** The field that names something of the other workspace, and what it is. */
  field: string;
  thing: Thing;
  inputWith: (value: string | number) => Record<string, unknown>;
}

const isList = (schema: unknown): boolean => (schema as { type: unknown }).type === 'array';

/** Every operation with every field that names something of a workspace. */
async function attempts(own: Things, foreign: Things): Promise<Attempt[]> {
  return (await allOperations()).flatMap((operation): Attempt[] => {
    const { properties, required = [] } = inputSchema(operation);
    const thingOf = (field: string): Thing | undefined => MEANS[operation.name]?.[field] ?? THING_FIELDS[field];
    const fields = Object.keys(properties);
    const named = fields.filter((field) => thingOf(field));
    const wanted = [...required, 'consent'].filter((field) => fields.includes(field));
    return named.map((field) => {
      const of = field === 'workspace' ? foreign : own;
      const filled = (one: string): unknown => {
        const thing = thingOf(one);
        if (thing) return of[thing];
        if (one === 'file') return FILES[operation.name.split('.')[0]!];
        return GOOD[one];
      };
      const base = Object.fromEntries(
        [...new Set([...wanted, ...(fields.includes('workspace') ? ['workspace'] : [])])].map((one) => [
          one,
          filled(one),
        ]),
      );
      Object.assign(base, MORE[operation.name]);
      if (operation.name === 'campaign.render' && field !== 'campaign')
        Object.assign(base, field === 'domain' ? { html: '<p>Hai</p>' } : { campaign: of.campaign });
      return {
        operation: operation.name,
        field,
        thing: thingOf(field)!,
        inputWith: (value) => ({ ...base, [field]: isList(properties[field]) ? [value] : value }),
      };
    });
  });
}

/** Everything stored of a workspace, and what belongs to none. */
function stored(dataDir: string, workspaceId: string): Map<string, string> {
  const db = new DatabaseSync(join(dataDir, DATABASE), { readOnly: true });
  const tables = db
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`)
    .all() as { name: string }[];
  const all = tables.flatMap(({ name }): [string, string][] => {
    const columns = (db.prepare(`PRAGMA table_info("${name}")`).all() as { name: string }[]).map(
      (column) => column.name,
    );
    if (!columns.includes('workspace_id')) return [];
    const rows = db.prepare(`SELECT * FROM "${name}" WHERE workspace_id = ?`).all(Number(workspaceId));
    return [
      [
        name,
        rows
          .map((row) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)))
          .sort()
          .join('\n'),
      ],
    ];
  });
  db.close();
  return new Map(all);
}

/** Filters find nothing, and an invitation, also one withdrawn, does not say whether there is an account. */
const FOUND_EMPTY =
  /^(conversion\.\w+ (campaign|journey|message)|user\.(invite|remove) email|journey\.dry-run contact)$/;
/** Whether the endpoint is switched on is looked at before the delivery. */
const isRefused = (operation: string, field: string, status: number): boolean =>
  status ===
  (FOUND_EMPTY.test(`${operation} ${field}`) ? 200 : operation === 'webhook.retry' && field === 'delivery' ? 422 : 404);

describe('what belongs to another workspace', () => {
  let subject: Keyed;
  let foreign: Things;
  let own: Things;
  let key: string;
  beforeAll(async () => {
    subject = await Keyed.start();
    foreign = await richWorkspace(subject.running, 'rahasia');
    own = await richWorkspace(subject.running, 'sendiri');
    key = await subject.key({ name: 'own', role: 'owner', workspaceId: Number(own.workspace) });
  });
  afterAll(() => subject.running.stop());

  /** The answer without what was asked for, and without what is new in each answer. */
  const answerTo = async (operation: string, input: object, value: string) => {
    const { status, body } = await subject.do(key, operation, input);
    return {
      status,
      said: JSON.stringify(body)
        .replaceAll(value, '?')
        .replace(/claim\/\w+|\d{4}-\d\d-\d\dT[^"]+/g, '?'),
    };
  };

  // spec: docs/contract.md#dashboard-operations: what belongs to another workspace is answered as what is not there
  it('is answered as what is not there, by every operation and every field that names it', async () => {
    const all = await attempts(own, foreign);
    const before = stored(subject.running.dataDir, foreign.workspace);
    expect(before.size).toBeGreaterThan(20);
    const faults: unknown[] = [];
    for (const { operation, field, thing, inputWith } of all) {
      const pairs = [[foreign[thing], NOTHING[thing]] as const];
      const name = foreign.names[thing];
      // By name, where it may be: filters take ids.
      if (name !== undefined && thing !== 'contact' && !operation.startsWith('conversion'))
        pairs.push([name, name.replace('rahasia', 'ketiga')]);
      // Only by its address.
      if (operation === 'journey.dry-run' && thing === 'contact') pairs.splice(0, 1, [name!, NOTHING.user]);
      for (const [theirs, none] of pairs) {
        const got = await answerTo(operation, inputWith(theirs), theirs);
        const expected = await answerTo(operation, inputWith(none), none);
        if (!isDeepStrictEqual(got, expected)) faults.push({ operation, field, theirs, got, expected });
        if (got.said.includes('rahasia') || !isRefused(operation, field, got.status))
          faults.push({ operation, field, theirs, got });
      }
    }
    expect(faults).toEqual([]);
    expect(all.length).toBeGreaterThan(150);
    expect(stored(subject.running.dataDir, foreign.workspace)).toEqual(before);
  });

  it('is named by fields that would find the own thing', async () => {
    const reads = (await attempts(own, own)).filter(({ operation }) =>
      /\.(show|list|data|mail|deliveries|delivery|members|form|links|recipients|versions|posts|enrollments)$/.test(
        operation,
      ),
    );
    const faults: unknown[] = [];
    for (const { operation, field, thing, inputWith } of reads) {
      const { status, body } = await subject.do(key, operation, inputWith(own[thing]));
      if (status !== 200) faults.push({ operation, field, status, body });
    }
    expect(faults).toEqual([]);
  });

  it.each(['a domain that is taken', 'an audience and a domain within a journey'])(
    'is not told by %s',
    async (what) => {
      const steps = [
        { type: 'email', domain: foreign.domain, subject: 'Hai', html: '<p>Hai</p>' },
        { type: 'add_to_audience', audience: foreign.audience },
      ];
      const journey = JSON.stringify({ name: 'x', trigger: 'form_subscribe', audience: foreign.audience, steps });
      const [operation, input] = what.startsWith('a domain')
        ? (['domain.add', { name: foreign.names.domain }] as const)
        : (['journey.validate', { file: journey }] as const);
      const { body } = await subject.do(key, operation, { workspace: own.workspace, ...input });
      const said = JSON.stringify(body).replaceAll(foreign.names.domain!, '?');
      expect(said).not.toContain('rahasia');
      expect(said).not.toMatch(new RegExp(`workspace ${foreign.workspace}\\b`));
      if (operation === 'domain.add') return;
      const absent = journey
        .replaceAll(`"${foreign.domain}"`, '"987654"')
        .replaceAll(`"${foreign.audience}"`, '"987655"');
      const none = await subject.do(key, operation, { workspace: own.workspace, file: absent });
      const plain = (text: string): string => text.replace(/\d+/g, 'N');
      expect(plain(said)).toBe(plain(JSON.stringify(none.body)));
    },
  );
});
