import { describe, expect, it } from '@jest/globals';
import { allOperations, findOperation, OPERATIONS } from '../../operations/catalogue';
import { accessOf, type Access } from '../../domain/people/access';
import { roleCovers, WORKSPACE_ROLES, type Role, type WorkspaceRole } from '../../domain/people/role';
import {
  FileContent,
  faultOf,
  fileOption,
  fileText,
  flag,
  givenOf,
  inputSchema,
  needed,
  onOff,
  operation,
  option,
  repeatable,
  whole,
  workspace,
  type Operation,
  type Session,
} from '../../operations/definition';

const WORKSPACES = [
  { id: 1, name: 'Melati' },
  { id: 2, name: 'Kenanga' },
];
const sessionOf = (access: Access | null): Session =>
  ({
    access,
    stores: {
      workspaces: {
        get: async (id: number) => WORKSPACES.find((one) => one.id === id) ?? null,
        list: async () => WORKSPACES,
      },
    },
  }) as never;

const within = operation('sample.within', 'editor', {
  summary: 'in a workspace',
  arguments: { workspace },
  examples: [],
  handler: async (input) => ({ id: input.workspace.id }),
});
const everywhere = operation('sample.everywhere', 'viewer', {
  summary: 'about the installation',
  examples: [],
  handler: async () => ({ done: true }),
});

const grants = (everywhereRole: Role | null, ...own: [number, WorkspaceRole][]): Access =>
  accessOf({ everywhere: everywhereRole, workspaces: new Map(own) });

const tried = async (of: Operation, given: object, access: Access | null): Promise<unknown> => {
  try {
    return (await of.read(given as never)(sessionOf(access))).json;
  } catch (error) {
    return faultOf(error)?.status ?? error;
  }
};

describe('what a caller may do', () => {
  it.each<[string, Access | null, unknown]>([
    ['all, without access to check', null, { id: 2 }],
    ['all as an operator', grants('operator'), { id: 2 }],
    ['its role everywhere', grants('editor'), { id: 2 }],
    ['not what takes another role', grants('developer'), 403],
    ['its role in the workspace', grants(null, [2, 'owner']), { id: 2 }],
    ['not with a smaller role there', grants(null, [2, 'viewer']), 403],
    ['nothing in a workspace of others, which does not exist for it', grants(null, [1, 'owner']), 404],
  ])('%s', async (_, access, expected) => {
    expect(await tried(within, { workspace: '2' }, access)).toEqual(expected);
    expect(await tried(within, { workspace: 'Kenanga' }, access)).toEqual(expected);
  });

  it('is told of an unknown workspace and of one of others in the same words', async () => {
    const said = async (name: string): Promise<string> => {
      try {
        await within.read({ workspace: name })(sessionOf(grants(null, [1, 'owner'])));
      } catch (error) {
        return faultOf(error)!.message.replace(name, '?');
      }
      return 'done';
    };
    expect(await said('2')).toBe(await said('3'));
    expect(await said('Kenanga')).toBe(await said('Nowhere'));
  });

  it('without a workspace is for operators alone, whatever the role of the operation', async () => {
    expect(await tried(everywhere, {}, grants('operator'))).toEqual({ done: true });
    expect(await tried(everywhere, {}, grants('owner'))).toBe(403);
    expect(await tried(everywhere, {}, grants(null, [1, 'owner']))).toBe(403);
  });

  it('grows with the role', () => {
    const table = (['viewer', 'editor', 'developer', 'owner', 'operator'] as const).map((held) =>
      [...WORKSPACE_ROLES, 'operator' as const].filter((needed) => roleCovers(held, needed)),
    );
    expect(table).toEqual([
      ['viewer'],
      ['viewer', 'editor'],
      ['viewer', 'developer'],
      [...WORKSPACE_ROLES],
      [...WORKSPACE_ROLES, 'operator'],
    ]);
  });
});

describe('the input of other interfaces', () => {
  const sample = operation('sample.do', 'viewer', {
    summary: 'a sample',
    options: {
      howMany: needed('<n>', 'how many, see --dry-run', whole(1, 9)),
      some: repeatable('<n>', 'several', whole(1, 9)),
      state: option('<state>', 'on or off', onOff),
      dryRun: flag('without doing it'),
      html: fileOption('the file', fileText(10)),
    },
    examples: [],
    handler: async (input) => input,
  });
  const run = async (input: object): Promise<object> => {
    try {
      return (await sample.read(givenOf(sample, input as never))(sessionOf(null))).json;
    } catch (error) {
      return faultOf(error) ?? (error as Error);
    }
  };

  it('has fields in snake case and values in the types of JSON', async () => {
    expect(await run({ how_many: 3, some: [1, '2'], state: false, dry_run: true, html: '<p>' })).toEqual({
      howMany: 3,
      some: [1, 2],
      state: false,
      dryRun: true,
      html: '<p>',
    });
    expect(await run({ how_many: '3' })).toEqual({ howMany: 3, some: [], dryRun: false });
  });

  it.each([
    [{}, 'how_many is missing.', 'how_many'],
    [{ how_many: 0 }, 'how_many must be a whole number from 1 to 9 (is "0").', 'how_many'],
    [{ how_many: {} }, 'how_many must be text.', 'how_many'],
    [{ how_many: 1, dry_run: 'yes' }, 'dry_run must be true or false.', 'dry_run'],
    [{ how_many: 1, state: 'on' }, 'state must be true or false.', 'state'],
    [{ how_many: 1, some: 1 }, 'some must be a list.', 'some'],
    [{ how_many: 1, html: 5 }, 'html must be the text of the file.', 'html'],
    [{ how_many: 1, html: '' }, 'html is empty.', 'html'],
    [{ how_many: 1, howMany: 1 }, 'howMany is not a field of sample.do.', 'howMany'],
    [{ how_many: 1, workspace: '\0' }, 'workspace is not a field of sample.do.', 'workspace'],
  ])('of %j is refused: %s', async (input, message, field) => {
    expect(await run(input)).toEqual({ status: 422, message, field });
  });

  it('is never a path of this machine', async () => {
    const all = (await allOperations()).filter(({ arguments: of, options }) =>
      Object.values({ ...of, ...options }).some(({ file }) => file),
    );
    expect(all.length).toBeGreaterThan(5);
    for (const one of all) {
      const [field, param] = Object.entries({ ...one.arguments, ...one.options }).find(([, { file }]) => file)!;
      const read = (): unknown => givenOf(one, { [field]: '/etc/hostname' })[field];
      if (param.file === 'bytes') expect(read).toThrow(`${field} must be the bytes of the file in base64.`);
      else expect(read()).toEqual(new FileContent(field, '/etc/hostname'));
    }
  });

  it('is described in JSON Schema', () => {
    expect(inputSchema(sample)).toEqual({
      type: 'object',
      additionalProperties: false,
      properties: {
        how_many: { type: 'integer', minimum: 1, maximum: 9, description: 'how many, see dry_run' },
        some: { type: 'array', items: { type: 'integer', minimum: 1, maximum: 9 }, description: 'several' },
        state: { type: ['boolean', 'null'], description: 'on or off' },
        dry_run: { type: 'boolean', default: false, description: 'without doing it' },
        html: { type: 'string', description: 'the file (its text)' },
      },
      required: ['how_many'],
    });
  });
});

describe('the catalogue', () => {
  it('finds each operation by its name, and nothing else', async () => {
    const all = await allOperations();
    expect(all.length).toBeGreaterThan(80);
    for (const one of all) expect(await findOperation(one.name)).toBe(one);
    expect(await findOperation('campaign.nothing')).toBeNull();
    expect(await findOperation('constructor')).toBeNull();
    expect(Object.keys(OPERATIONS)).toContain('campaign');
  });

  it('lets a member do only what names something of the workspace', async () => {
    const free = (await allOperations()).filter(
      ({ role, arguments: args, options }) =>
        role !== 'operator' && !Object.values({ ...args, ...options }).some(({ find }) => find !== undefined),
    );
    expect(free.map(({ name }) => name)).toEqual([]);
  });
});
