import { beforeAll, describe, expect, it } from '@jest/globals';
import { dashboarded, type Shown, type Visitor } from './visitor';

const OWN = '/app/w/1/settings/admin-keys';
const ALL = '/app/users/keys';
const keyIn = ({ html }: Shown): string => /kurir_ak_[\w-]{43}/.exec(html)?.[0] ?? '';

describe('the keys of the management API in the dashboard', () => {
  const subject = dashboarded();
  let owner: Visitor;
  let operator: Visitor;
  beforeAll(async () => {
    owner = await subject.person('owner@toko.example', { 1: 'owner' });
    operator = await subject.person('operator@toko.example', 'operator');
  });
  const call = async (key: string, operation: string, input: object): Promise<number> => {
    const response = await fetch(`${subject.origin}/admin/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(input),
    });
    await response.arrayBuffer();
    return response.status;
  };
  const idOf = ({ html }: Shown, name: string): string =>
    new RegExp(`<td[^>]*>${name}</td>[\\s\\S]*?name="key" value="([0-9a-f]{12})"`).exec(html)?.[1] ?? '';

  it('makes one of the workspace that is shown once and works, and revokes it', async () => {
    expect((await owner.get('/app/w/1/settings')).html).toContain(`href="${OWN}"`);
    const made = await owner.post(`${OWN}/create`, { name: 'ci', role: 'developer', expires: '90d' });
    const key = keyIn(made);
    expect([made.status, await call(key, 'template.list', { workspace: 1 })]).toEqual([200, 200]);
    const listed = await owner.get(OWN);
    expect([listed.html.includes('owner@toko.example'), listed.html.includes(key)]).toEqual([true, false]);
    expect(await call(key, 'workspace.list', {})).not.toBe(401);
    const revoked = await owner.post(`${OWN}/revoke`, { key: idOf(listed, 'ci') });
    expect(revoked).toMatchObject({ status: 303, location: OWN });
    expect(await call(key, 'template.list', { workspace: 1 })).toBe(401);
    const trail = await subject.service.stores.operatorLog.list(2);
    expect(trail.map(({ actor, action }) => `${actor} ${action}`)).toEqual([
      'owner@toko.example admin-key revoke',
      'owner@toko.example admin-key create',
    ]);
  });

  it('says what is wrong beside the field, and keeps what was chosen', async () => {
    const refused = await owner.post(`${OWN}/create`, { name: 'ci', role: 'viewer', expires: 'soon' });
    expect([refused.status, refused.html.includes('id="expires-fault"')]).toEqual([422, true]);
    expect(refused.html).toContain('value="soon"');
    const more = await owner.post(`${OWN}/create`, { name: 'ci', role: 'operator', installation: 'on' });
    expect([more.status, keyIn(more)]).toEqual([422, '']);
  });

  it('makes those of the installation for operators: for all workspaces, or for one', async () => {
    expect((await operator.get('/app/users')).html).toContain(`href="${ALL}"`);
    const all = await operator.post(`${ALL}/create`, { name: 'terraform', role: 'operator', workspace: '' });
    expect(await call(keyIn(all), 'workspace.list', {})).toBe(200);
    const one = await operator.post(`${ALL}/create`, { name: 'toko', role: 'viewer', workspace: '1' });
    expect(await call(keyIn(one), 'template.list', { workspace: 1 })).toBe(200);
    const listed = await operator.get(ALL);
    expect([listed.html.includes('all workspaces'), listed.html.includes('Demo')]).toEqual([true, true]);
    expect((await operator.post(`${ALL}/revoke`, { key: idOf(listed, 'terraform') })).status).toBe(303);
    expect(await call(keyIn(all), 'workspace.list', {})).toBe(401);
    const gone = await operator.post(`${ALL}/revoke`, { key: '000000000000' });
    expect([gone.status, gone.html.includes('no key')]).toEqual([422, true]);
  });

  it('are for owners and operators only, and an owner sees none of the installation', async () => {
    await operator.post(`${ALL}/create`, { name: 'rahasia', role: 'viewer', workspace: '' });
    for (const role of ['developer', 'editor', 'viewer'] as const) {
      const member = await subject.person(`${role}@toko.example`, { 1: role });
      expect((await member.get('/app/w/1/settings')).html).not.toContain(OWN);
      expect((await member.get(OWN)).status).toBe(404);
      expect((await member.post(`${OWN}/create`, { name: 'x', role: 'viewer' })).status).toBe(404);
    }
    expect((await owner.get(ALL)).status).toBe(404);
    expect((await owner.post(`${ALL}/create`, { name: 'x', role: 'viewer' })).status).toBe(404);
    expect((await owner.get(OWN)).html).not.toContain('rahasia');
    expect((await owner.post(`${OWN}/revoke`, { key: 'rahasia' })).status).toBe(422);
  });
});
