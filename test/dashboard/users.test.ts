import { beforeAll, describe, expect, it } from '@jest/globals';
import { MEMBERSHIPS, userOf } from '../../operations/people/people';
import { findTicket } from '../../operations/people/tickets';
import type { Visitor } from './visitor';
import { dashboarded, type Shown } from './visitor';

const tokenIn = ({ html }: Shown): string => /\/app\/claim\/(\w{43})</.exec(html)?.[1] ?? '';

describe('the users of the installation', () => {
  const subject = dashboarded();
  let operator: Visitor;
  let other = 0;
  beforeAll(async () => {
    const { workspaces } = subject.service.stores;
    other = (await workspaces.create({ ...(await workspaces.get(1))!, name: 'Kenanga' })).id;
    operator = await subject.person('op@toko.example', 'operator');
    await subject.person('siti@toko.example', { 1: 'viewer', [other]: 'owner' });
  });
  const pathOf = (email: string): string => `/app/users/${encodeURIComponent(email)}`;
  const rolesOf = async (email: string) =>
    (await subject.people.records.list(MEMBERSHIPS, { user: email, limit: 9 }, 0)).map(({ workspaceId, body }) => [
      workspaceId,
      body.role,
    ]);

  it('are listed with their roles, the workspaces by name', async () => {
    const { html } = await operator.get('/app/users');
    expect(html).toContain('viewer, Demo · owner, Kenanga');
    expect(html).toContain(`href="${pathOf('siti@toko.example')}"`);
    expect((await operator.get('/app/w/1')).html).toContain('href="/app/users"');
  });

  it('are invited by a link that is shown once, and in no cookie', async () => {
    const invited = await operator.post('/app/users/invite', {
      email: 'Dewi@toko.example',
      workspace: '1',
      role: 'editor',
      operator: 'off',
    });
    expect(invited.status).toBe(200);
    expect((await findTicket(subject.people, tokenIn(invited)))?.body.grant).toEqual({
      operator: false,
      workspaceId: 1,
      role: 'editor',
    });
    expect(invited.headers.getSetCookie()).toEqual([]);
    expect((await operator.get('/app/users')).html).not.toContain('/app/claim/');
    expect((await operator.get(pathOf('dewi@toko.example'))).html).toContain('Withdraw');
    await operator.post(`${pathOf('dewi@toko.example')}/remove`, { workspace: '1' });
    expect(await findTicket(subject.people, tokenIn(invited))).toBeNull();
  });

  it('are invited as operators, and that is withdrawn on their page', async () => {
    const invited = await operator.post('/app/users/invite', { email: 'boss@toko.example', operator: 'on' });
    expect(invited.html).toContain('could not be emailed');
    const path = pathOf('boss@toko.example');
    expect((await operator.get(path)).html).toContain('Withdraw the administrator invitation for boss@toko.example?');
    expect((await operator.post(`${path}/remove`, { operator: 'on' })).location).toBe('/app/users');
    expect(await findTicket(subject.people, tokenIn(invited))).toBeNull();
  });

  it.each([
    [{ email: 'no address', workspace: '1', role: 'editor', operator: 'off' }, 'email-fault'],
    [{ email: 'a@toko.example', workspace: '1', role: '', operator: 'off' }, 'role-fault'],
    [{ email: 'a@toko.example', workspace: '', role: 'editor', operator: 'off' }, 'workspace-fault'],
    [{ email: 'a@toko.example', workspace: '1', role: 'editor', operator: 'on' }, 'operator-fault'],
  ])('are not invited by %j', async (fields, fault) => {
    const refused = await operator.post('/app/users/invite', fields);
    expect(refused.status).toBe(422);
    expect(refused.html).toContain(`id="${fault}"`);
    expect(refused.html).toContain(`value="${fields.email}"`);
  });

  it('get another role, and lose one', async () => {
    const path = pathOf('siti@toko.example');
    expect((await operator.post(`${path}/role`, { workspace: '1', role: 'developer' })).location).toBe(path);
    expect((await operator.post(`${path}/role`, { workspace: '1', role: 'king' })).status).toBe(422);
    await operator.post(`${path}/remove`, { workspace: String(other) });
    expect(await rolesOf('siti@toko.example')).toEqual([[1, 'developer']]);
  });

  it('become operators and are none any more, but for the last one', async () => {
    const path = pathOf('siti@toko.example');
    await operator.post(`${path}/operator`, { operator: 'on' });
    expect((await userOf(subject.people, 'siti@toko.example'))?.body.operator).toBe(true);
    await operator.post(`${path}/operator`, { operator: 'off' });
    expect((await userOf(subject.people, 'siti@toko.example'))?.body.operator).toBe(false);
    const last = await operator.post(`${pathOf('op@toko.example')}/operator`, { operator: 'off' });
    expect([last.status, last.html.includes('the last administrator')]).toEqual([422, true]);
  });

  it('are disabled, which ends their sessions, and enabled', async () => {
    const budi = await subject.person('budi@toko.example', { 1: 'viewer' });
    const path = pathOf('budi@toko.example');
    await operator.post(`${path}/disable`);
    expect((await budi.get('/app/w/1')).html).toContain('action="/app/sign-in"');
    expect((await operator.get(path)).html).toContain('Enable');
    await operator.post(`${path}/enable`);
    expect((await userOf(subject.people, 'budi@toko.example'))?.body.disabledAt).toBeNull();
  });

  it('get a link to choose a new password', async () => {
    const reset = await operator.post(`${pathOf('siti@toko.example')}/reset`);
    expect((await findTicket(subject.people, tokenIn(reset)))?.body.purpose).toBe('reset');
    expect((await operator.post(`${pathOf('nobody@toko.example')}/reset`)).status).toBe(404);
    expect((await operator.get(pathOf('nobody@toko.example'))).status).toBe(404);
  });

  it.each(['viewer', 'editor', 'developer', 'owner'] as const)('are not there for a %s', async (role) => {
    const member = await subject.person(`${role}@toko.example`, { 1: role });
    const path = pathOf('siti@toko.example');
    expect((await member.get('/app/users')).status).toBe(404);
    expect((await member.get(path)).status).toBe(404);
    for (const act of ['role', 'remove', 'operator', 'disable', 'enable', 'reset']) {
      expect((await member.post(`${path}/${act}`, { operator: 'on', workspace: '1', role: 'owner' })).status).toBe(404);
    }
    expect((await member.post('/app/users/invite', { email: 'x@y.example', operator: 'on' })).status).toBe(404);
    expect((await userOf(subject.people, 'siti@toko.example'))?.body).toMatchObject({
      operator: false,
      disabledAt: null,
    });
  });
});
