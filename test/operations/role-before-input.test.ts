import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { roleCovers, WORKSPACE_ROLES, type WorkspaceRole } from '../../domain/people/role';
import { allOperations } from '../../operations/catalogue';
import { inputSchema, type Operation } from '../../operations/definition';
import { Keyed } from '../api/admin/keyed';
import { NOTHING, richWorkspace, type Things } from '../support/rich-workspace';

type Inputs = Readonly<Record<string, string>>;

const fieldsOf = (operation: Operation): string[] =>
  Object.keys((inputSchema(operation) as { properties: object }).properties);

/** What no operation takes, and what says nothing true: each with the workspace of the caller where there is one. */
function wrongInputs(operation: Operation): Inputs {
  const fields = fieldsOf(operation);
  const own = fields.includes('workspace') ? { workspace: 1 } : {};
  const all = (value: unknown): object => ({ ...Object.fromEntries(fields.map((one) => [one, value])), ...own });
  return {
    nothing: '{}',
    'an unknown field': JSON.stringify({ ...own, no_such_field: 1 }),
    'an unknown field, and no workspace': JSON.stringify({ no_such_field: 1 }),
    'values of no type': JSON.stringify(all({})),
    'names of nothing': JSON.stringify(all('no such thing')),
    'ids of nothing': JSON.stringify(all(999_999)),
    'no JSON': '{',
    'no object': '[]',
  };
}

// spec: docs/contract.md#dashboard-operations: the role is asked for before the input is judged
describe('the role before the input', () => {
  let keyed: Keyed;
  let other: Things;
  const keys = new Map<WorkspaceRole | 'stranger', string>();
  beforeAll(async () => {
    keyed = await Keyed.start({ KURIR_API_RATE_PER_MINUTE: '1000000' });
    other = await richWorkspace(keyed.running, 'Kenanga');
    for (const role of WORKSPACE_ROLES) keys.set(role, await keyed.key({ name: role, role, workspaceId: 1 }));
    keys.set('stranger', await keyed.key({ name: 'stranger', role: 'owner', workspaceId: Number(other.workspace) }));
  });
  afterAll(() => keyed.running.stop());

  const statusOf = async (by: WorkspaceRole | 'stranger', { name }: Operation, body: string): Promise<number> =>
    (await keyed.request('POST', `/${name}`, keys.get(by)!, body)).status;

  it.each(WORKSPACE_ROLES)('is all that is said to a %s who may not do it, whatever the input', async (role) => {
    const faults: unknown[] = [];
    const refused = (await allOperations()).filter((one) => !roleCovers(role, one.role));
    expect(refused.length).toBeGreaterThan(20);
    for (const operation of refused) {
      for (const [what, body] of Object.entries(wrongInputs(operation))) {
        const status = await statusOf(role, operation, body);
        if (status !== 403) faults.push([operation.name, what, status]);
      }
    }
    expect(faults).toEqual([]);
  });

  it('is asked for where the thing lies, by its name or id, before another field is judged', async () => {
    const faults: unknown[] = [];
    const { name: _, ...things } = { name: '', ...other };
    const viewer = await keyed.key({ name: 'looks', role: 'viewer', workspaceId: Number(other.workspace) });
    for (const operation of await allOperations()) {
      if (roleCovers('viewer', operation.role)) continue;
      const [field] = fieldsOf(operation).filter((one) => one in things && one !== 'workspace');
      if (field === undefined) continue;
      const input = { [field]: things[field as keyof typeof things], no_such_field: 1 };
      const { status } = await keyed.request('POST', `/${operation.name}`, viewer, JSON.stringify(input));
      if (status !== 403) faults.push([operation.name, field, status]);
    }
    expect(faults).toEqual([]);
  });

  it('says no more of a workspace of others than that it is not there', async () => {
    const faults: unknown[] = [];
    for (const operation of await allOperations()) {
      if (!fieldsOf(operation).includes('workspace')) continue;
      const of = (workspace: number) =>
        statusOf('stranger', operation, JSON.stringify({ workspace, no_such_field: 1 }));
      const ends = [await of(1), await of(Number(NOTHING.workspace))];
      if (ends.some((status) => status !== 404)) faults.push([operation.name, ends]);
    }
    expect(faults).toEqual([]);
  });

  it('is followed by what is wrong with the input, for those who may', async () => {
    const faults: unknown[] = [];
    for (const operation of await allOperations()) {
      if (!roleCovers('owner', operation.role) || !fieldsOf(operation).includes('workspace')) continue;
      const status = await statusOf('owner', operation, JSON.stringify({ workspace: 1, no_such_field: 1 }));
      if (status !== 422) faults.push([operation.name, status]);
    }
    expect(faults).toEqual([]);
  });
});
