import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Access } from '../../../domain/people/access';
import { roleCovers } from '../../../domain/people/role';
import { validationMessage } from '../../../schemas/rules/validation-messages';
import { allOperations } from '../../../operations/catalogue';
import {
  fieldName,
  FileContent,
  OperationError,
  why,
  type Fault,
  type Operation,
  type Params,
} from '../../../operations/definition';
import { performFor } from '../../../operations/perform';
import { limitFor } from '../../support/limits';
import { richWorkspace, type Things } from '../../support/rich-workspace';
import { dashboarded, type Visitor } from '../visitor';

/** What every English reason has one of, and no Indonesian one. */
const ENGLISH =
  /\b(is|are|must|has|have|the|not|no|found|uses|names|needs|asks|there|this|give|nothing|for|with|of|cannot|takes)\b/i;

const ALL: Access = { sees: () => true, may: () => true, holds: () => true };
/** Those that look at the machine, take long, or end what the others need. */
const APART = new Set(['doctor', 'audit.start', 'domain.doctor', 'sandbox.reset', 'workspace.suspend']);
const OTHERS = [
  '',
  'x'.repeat(70_000),
  '0',
  '-1',
  '9999-99-99',
  'a\nb',
  '{"a":1}',
  '2020-01-01T00:00:00Z',
  7,
  true,
  {},
];
const FILE = new FileContent('kontak.csv', 'surel\n"rusak\n');

/** Nothing that others need is taken away. */
const notAsked = (): never => {
  throw new OperationError(why('nothing'));
};

/** What was given, in quotation marks, is nobody's sentence. */
const unquoted = (text: string): string => text.replaceAll(/"(?:[^"\\]|\\.)*"/g, '""');

describe('what an operation refuses', () => {
  const subject = dashboarded();
  let things: Things;
  let owner: Visitor;
  beforeAll(async () => {
    things = await richWorkspace(subject.service, 'Kenanga');
    owner = await subject.person('pemilik@toko.example', { 1: 'owner' });
    owner.cookies.set('kurir_language', 'id');
  });

  const faultOf = async (of: Operation, input: object, access = ALL): Promise<Fault | null> => {
    const by = { actor: 'test', access, language: 'id', ask: notAsked } as const;
    const done = await performFor(subject.service.kurir.services, by, of, { ...input });
    return done.ok ? null : done.fault;
  };

  /** An input that is right as far as it names things, with one field after the other that is not. */
  function* inputsOf(of: Operation): Generator<object> {
    const params = Object.entries({ ...of.arguments, ...of.options } as Params);
    const fields = params.map(([key]) => fieldName(key));
    const right = Object.fromEntries(
      params.flatMap(([key, { file }]) => {
        const named = file ? FILE : Object.entries(things).find(([thing]) => thing === fieldName(key))?.[1];
        return named === undefined ? [] : [[fieldName(key), named]];
      }),
    );
    yield {};
    yield { ...right, no_such_field: 1 };
    yield right;
    yield Object.fromEntries(fields.map((one) => [one, true]));
    for (const [n, field] of fields.entries()) {
      for (const value of [OTHERS[n % OTHERS.length], '987654', 'tak ada']) yield { ...right, [field]: value };
    }
  }

  it(
    'is said in Indonesian to who reads it, whatever is wrong with the input',
    async () => {
      const english = new Set<string>();
      const said = new Set<string>();
      for (const of of await allOperations()) {
        if (APART.has(of.name)) continue;
        for (const input of inputsOf(of)) {
          const fault = await faultOf(of, input);
          if (!fault) continue;
          said.add(fault.message);
          if (ENGLISH.test(unquoted(fault.message))) english.add(`${of.name}: ${fault.message.slice(0, 200)}`);
        }
      }
      expect([...english]).toEqual([]);
      expect(said.size).toBeGreaterThan(400);
    },
    limitFor(2),
  );

  it('is said in Indonesian to who has not the role', async () => {
    const viewer: Access = { sees: () => true, may: (role) => role === 'viewer', holds: (role) => role === 'viewer' };
    for (const of of await allOperations()) {
      if (roleCovers('viewer', of.role)) continue;
      const fault = await faultOf(of, {}, viewer);
      expect([fault?.status, fault?.message]).toEqual([
        403,
        expect.stringMatching(/^Tindakan ini memerlukan peran \w+/),
      ]);
    }
  });

  it('stands on a page in the language of the page', async () => {
    const { status, html } = await owner.post('/app/w/1/audiences/new', { name: ' ', opt_in: 'single' });
    expect(status).toBe(422);
    expect(html).toContain('name tidak boleh kosong (isinya');
  });
});

describe('a rule for a field', () => {
  it('is said with what it names, as it is', () => {
    const reason = validationMessage('any.only', '$&', { valids: ['{valids}', '$1'] });
    expect(String(reason)).toBe('The $& field must be one of {valids}, $1.');
    expect(reason.in('id')).toBe('$& harus salah satu dari {valids}, $1.');
    expect(JSON.stringify({ reason })).toBe(JSON.stringify({ reason: String(reason) }));
  });
});
