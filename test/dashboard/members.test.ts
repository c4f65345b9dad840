import { beforeAll, describe, expect, it } from '@jest/globals';
import { MEMBERSHIPS } from '../../operations/people/people';
import { findTicket } from '../../operations/people/tickets';
import type { Visitor } from './visitor';
import { dashboarded, type Shown } from './visitor';

const MEMBERS = '/app/w/1/settings/members';
const tokenIn = ({ html }: Shown): string => /\/app\/claim\/(\w{43})</.exec(html)?.[1] ?? '';

describe('the members of a workspace', () => {
  const subject = dashboarded();
  let owner: Visitor;
  let other = 0;
  beforeAll(async () => {
    const { workspaces } = subject.service.stores;
    other = (await workspaces.create({ ...(await workspaces.get(1))!, name: 'Kenanga' })).id;
    owner = await subject.person('owner@toko.example', { 1: 'owner' });
    await subject.person('siti@toko.example', { 1: 'viewer', [other]: 'editor' });
    await subject.person('far@toko.example', { [other]: 'viewer' });
    await subject.person('op@toko.example', 'operator');
  });
  const roleOf = async (email: string, workspaceId: number) =>
    (await subject.people.records.get(MEMBERSHIPS, `${email} ${workspaceId}`, 0))?.body.role ?? null;

  it('are seen by its owner, and nobody of other workspaces', async () => {
    const { html } = await owner.get(MEMBERS);
    expect(html).toContain('siti@toko.example');
    for (const text of ['far@toko.example', '"op@toko.example', 'Kenanga']) expect(html).not.toContain(text);
  });

  it('are invited to this workspace only, and not as operators', async () => {
    const invited = await owner.post(`${MEMBERS}/invite`, {
      email: 'dewi@toko.example',
      role: 'editor',
      workspace: String(other),
      operator: 'on',
    });
    expect((await findTicket(subject.people, tokenIn(invited)))?.body.grant).toEqual({
      operator: false,
      workspaceId: 1,
      role: 'editor',
    });
    expect((await owner.get(MEMBERS)).html).toContain('invited');
    await owner.post(`${MEMBERS}/remove`, { email: 'dewi@toko.example' });
    expect(await findTicket(subject.people, tokenIn(invited))).toBeNull();
  });

  it('are not invited with a fault, which stands at its field', async () => {
    const refused = await owner.post(`${MEMBERS}/invite`, { email: 'x', role: '' });
    expect([refused.status, refused.html.includes('id="email-fault"')]).toEqual([422, true]);
    expect(refused.html).toContain('value="x"');
  });

  it('get another role here, and leave, with nothing changed elsewhere', async () => {
    const fields = { email: 'siti@toko.example', role: 'developer', workspace: String(other) };
    expect((await owner.post(`${MEMBERS}/role`, fields)).location).toBe(MEMBERS);
    expect([await roleOf('siti@toko.example', 1), await roleOf('siti@toko.example', other)]).toEqual([
      ...['developer', 'editor'],
    ]);
    expect((await owner.post(`${MEMBERS}/role`, { email: 'far@toko.example', role: 'owner' })).status).toBe(422);
    await owner.post(`${MEMBERS}/remove`, { email: 'siti@toko.example', workspace: String(other) });
    expect([await roleOf('siti@toko.example', 1), await roleOf('siti@toko.example', other)]).toEqual([null, 'editor']);
    expect((await owner.post(`${MEMBERS}/remove`, { email: 'far@toko.example' })).status).toBe(422);
    expect(await roleOf('far@toko.example', other)).toBe('viewer');
  });

  it.each(['viewer', 'editor', 'developer'] as const)('are not there for a %s', async (role) => {
    const member = await subject.person(`${role}@toko.example`, { 1: role });
    expect((await member.get(MEMBERS)).status).toBe(404);
    const fields = { email: `${role}@toko.example`, role: 'owner' };
    for (const act of ['invite', 'role', 'remove']) {
      expect((await member.post(`${MEMBERS}/${act}`, fields)).status).toBe(404);
    }
    expect(await roleOf(`${role}@toko.example`, 1)).toBe(role);
  });

  it('are not there for an owner of another workspace', async () => {
    const stranger = await subject.person('stranger@toko.example', { [other]: 'owner' });
    expect((await stranger.get(MEMBERS)).status).toBe(404);
    expect((await stranger.post(`${MEMBERS}/remove`, { email: 'owner@toko.example' })).status).toBe(404);
  });

  it('may leave themselves', async () => {
    const leaving = await subject.person('leaving@toko.example', { 1: 'owner' });
    expect((await leaving.post(`${MEMBERS}/remove`, { email: 'leaving@toko.example' })).location).toBe('/app');
    expect((await leaving.get('/app/w/1')).status).toBe(404);
  });
});
