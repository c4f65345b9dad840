import { beforeAll, describe, expect, it } from '@jest/globals';
import { USERS, NEW_USER, setMembership, userOf } from '../../../operations/people/people';
import { beginSession, findSession } from '../../../operations/people/sessions';
import { TICKETS, findTicket } from '../../../operations/people/tickets';
import { accessOf, type Access } from '../../../domain/people/access';
import type { WorkspaceRole } from '../../../domain/people/role';
import { findOperation } from '../../../operations/catalogue';
import { performFor } from '../../../operations/perform';
import { dashboarded } from '../../dashboard/visitor';

describe('the operations on users', () => {
  const subject = dashboarded();
  let other = 0;
  beforeAll(async () => {
    const { workspaces } = subject.service.stores;
    other = (await workspaces.create({ ...(await workspaces.get(1))!, name: 'Kenanga' })).id;
    await add('op@toko.example', true);
  });

  async function add(email: string, operator = false): Promise<void> {
    const now = subject.people.clock.now();
    const body = { ...NEW_USER, operator, createdAt: now };
    await subject.people.records.add(USERS, { id: email, user: email, body }, now);
  }
  const operator = accessOf({ everywhere: 'operator', workspaces: new Map() });
  const member = (role: WorkspaceRole, workspaceId = 1): Access =>
    accessOf({ everywhere: null, workspaces: new Map([[workspaceId, role]]) });
  const does = async (access: Access, name: string, input: object) => {
    const { services } = subject.service.kurir;
    const operation = (await findOperation(name))!;
    const done = await performFor(services, { actor: 'a tester', access }, operation, { ...input });
    return done.ok ? done.json : done.fault.status;
  };
  const tokenOf = (answer: unknown): string => /\/app\/claim\/(\w+)$/.exec((answer as { link: string }).link)![1]!;

  it('let an owner invite to the own workspace, in any role there', async () => {
    for (const role of ['viewer', 'editor', 'developer', 'owner']) {
      const invited = await does(member('owner'), 'user.invite', { email: 'a@toko.example', role, workspace: 1 });
      expect(await findTicket(subject.people, tokenOf(invited))).toMatchObject({
        user: 'a@toko.example',
        workspaceId: 1,
        body: { purpose: 'invite', grant: { operator: false, workspaceId: 1, role } },
      });
    }
  });

  it.each<[string, () => Access, object, number]>([
    ['a viewer', () => member('viewer'), { role: 'viewer', workspace: 1 }, 403],
    ['an editor', () => member('editor'), { role: 'viewer', workspace: 1 }, 403],
    ['a developer', () => member('developer'), { role: 'developer', workspace: 1 }, 403],
    ['an owner who makes an operator', () => member('owner'), { operator: true }, 403],
    ['an owner of another workspace', () => member('owner', other), { role: 'viewer', workspace: 1 }, 404],
  ])('refuse an invitation by %s', async (_, access, input, status) => {
    expect(await does(access(), 'user.invite', { email: 'b@toko.example', ...input })).toBe(status);
    const tickets = await subject.people.records.list(TICKETS, { user: 'b@toko.example' }, subject.people.clock.now());
    expect(tickets).toEqual([]);
  });

  it('refuse an invitation to both or to nothing', async () => {
    const email = 'b@toko.example';
    for (const input of [{}, { role: 'viewer' }, { workspace: 1 }, { operator: true, role: 'viewer', workspace: 1 }]) {
      expect(await does(operator, 'user.invite', { email, ...input })).toBe(422);
    }
  });

  it('keep what is about all for operators', async () => {
    const email = 'op@toko.example';
    for (const name of ['user.reset', 'user.disable', 'user.enable']) {
      expect(await does(member('owner'), name, { email })).toBe(403);
    }
    expect(await does(member('owner'), 'user.list', {})).toBe(403);
    expect(await does(member('owner'), 'user.role', { email, operator: true })).toBe(403);
  });

  it('change and take the role of a member, and show an owner nothing of other workspaces', async () => {
    const email = 'siti@toko.example';
    await add(email);
    await setMembership(subject.people, { user: email, workspaceId: 1, role: 'viewer' });
    await setMembership(subject.people, { user: email, workspaceId: other, role: 'viewer' });
    const changed = await does(member('owner'), 'user.role', { email, role: 'editor', workspace: 1 });
    expect(changed).toMatchObject({ email, roles: [{ workspace_id: 1, role: 'editor' }] });
    const listed = (await does(member('owner'), 'user.list', { workspace: 1 })) as { data: { email: string }[] };
    expect(listed.data.find((one) => one.email === email)).toEqual(changed);
    expect(await does(member('owner'), 'user.remove', { email, workspace: other })).toBe(404);
    expect(await does(member('owner'), 'user.remove', { email, workspace: 1 })).toMatchObject({ removed: true });
    expect(await does(member('owner'), 'user.remove', { email, workspace: 1 })).toBe(404);
    expect(await does(member('owner'), 'user.role', { email, role: 'owner', workspace: 1 })).toBe(404);
    expect(await does(operator, 'user.list', {})).toMatchObject({
      data: expect.arrayContaining([expect.objectContaining({ email, roles: [expect.anything()] })]),
    });
  });

  it('withdraw an invitation, whose link works no more', async () => {
    const email = 'gone@toko.example';
    const invited = await does(member('owner'), 'user.invite', { email, role: 'viewer', workspace: 1 });
    const listed = (await does(member('owner'), 'user.list', { workspace: 1 })) as { data: object[] };
    expect(listed.data).toContainEqual(expect.objectContaining({ email, status: 'invited' }));
    await does(member('owner'), 'user.remove', { email, workspace: 1 });
    expect(await findTicket(subject.people, tokenOf(invited))).toBeNull();
  });

  it('withdraw the invitation of an operator, by operators only', async () => {
    const email = 'boss@toko.example';
    const invited = await does(operator, 'user.invite', { email, operator: true });
    expect(invited).toMatchObject({ mailed: false, not_mailed: expect.stringContaining('--sender') });
    expect(await does(member('owner'), 'user.remove', { email, operator: true })).toBe(403);
    expect(await does(operator, 'user.remove', { email, operator: true, workspace: 1 })).toBe(422);
    expect(await does(operator, 'user.remove', { email })).toBe(422);
    expect(await findTicket(subject.people, tokenOf(invited))).not.toBeNull();
    expect(await does(operator, 'user.remove', { email, operator: true })).toMatchObject({ workspace_id: null });
    expect(await findTicket(subject.people, tokenOf(invited))).toBeNull();
    expect(await does(operator, 'user.remove', { email, operator: true })).toBe(404);
    expect(await does(operator, 'user.remove', { email: 'op@toko.example', operator: true })).toBe(404);
  });

  it('tell an owner nothing of the account but what it is to the workspace', async () => {
    const email = 'both@toko.example';
    await add(email, true);
    subject.service.clock.advance(60_000);
    await setMembership(subject.people, { user: email, workspaceId: 1, role: 'viewer' });
    const of = async (access: Access, input: object) => {
      const { data } = (await does(access, 'user.list', input)) as { data: Record<string, unknown>[] };
      return data.find((one) => one['email'] === email)!;
    };
    const seen = await of(member('owner'), { workspace: 1 });
    expect(seen).not.toHaveProperty('operator');
    const [role] = seen['roles'] as { since: string }[];
    expect(seen['created_at']).toBe(role!.since);
    const whole = await of(operator, {});
    expect(whole).toMatchObject({ operator: true });
    expect(whole['created_at']).not.toBe(role!.since);
    await does(operator, 'user.role', { email, operator: false });
  });

  describe('mail an invitation', () => {
    const newest = async () => {
      const listed = await does(operator, 'message.list', { workspace: 1, limit: 1 });
      return (listed as { data: { message_id: string }[] }).data[0]?.message_id ?? '';
    };

    it('from the active domain of the workspace, which pays; no screen shows the link', async () => {
      const email = 'delivered+rina@toko.example';
      const invited = await does(member('owner'), 'user.invite', { email, role: 'owner', workspace: 1 });
      expect(invited).toMatchObject({ mailed: true, not_mailed: null });
      const id = await newest();
      const message = await subject.service.untilStatus(id, 'delivered');
      expect(message).toMatchObject({ toText: email, workspaceId: 1, category: 'transactional' });
      expect(await subject.service.coinsOf(id, -1)).toEqual(['debit:m:1']);
      expect(await subject.service.stores.contacts.find(1, email)).toMatchObject({ status: 'not_subscribed' });
      const job = await subject.service.stores.messages.job(id);
      const [token, ...others] = [job!.body!.html, job!.body!.text].map(
        (part) => /\/app\/claim\/(\w+)/.exec(part!)![1]!,
      );
      // Of its own: whoever was shown the link has not read the mail.
      expect([others, token]).toEqual([[token], expect.not.stringContaining(tokenOf(invited))]);
      expect((await findTicket(subject.people, token!))?.body).toMatchObject({
        trust: 'mail',
        grant: { role: 'owner' },
      });
      const shown = JSON.stringify(await does(member('viewer'), 'message.mail', { id }));
      expect(shown).toContain('/app/claim/shown');
      for (const part of [token!, token!.slice(20), tokenOf(invited)]) expect(shown).not.toContain(part);
    });

    it('to an operator from the domain that is named', async () => {
      const { domain } = (await subject.service.stores.domains.get(1))!;
      const invite = (more: object) => does(operator, 'user.invite', { email: 'budi@toko.example', ...more });
      expect(await invite({ operator: true, sender: domain })).toMatchObject({ mailed: true });
      expect(await invite({ operator: true, sender: 'none.example' })).toBe(404);
      expect(await invite({ role: 'viewer', workspace: 1, sender: domain })).toBe(422);
      expect(
        await does(member('owner'), 'user.invite', { email: 'x@toko.example', operator: true, sender: domain }),
      ).toBe(403);
    });

    it('not where no domain is active, the mail is refused or the workspace is suspended: the link is answered', async () => {
      const input = { email: 'sari@toko.example', role: 'viewer' };
      const none = await does(operator, 'user.invite', { ...input, workspace: other });
      expect(none).toMatchObject({ mailed: false, not_mailed: expect.stringContaining('no active sending domain') });
      expect(await findTicket(subject.people, tokenOf(none))).not.toBeNull();
      await does(operator, 'suppress.add', { emails: [input.email], workspace: 1 });
      const refused = await does(operator, 'user.invite', { ...input, workspace: 1 });
      expect(refused).toMatchObject({ mailed: false, not_mailed: expect.any(String) });
      await subject.service.stores.workspaces.update(other, { suspended: true });
      expect(await does(operator, 'user.invite', { ...input, workspace: other })).toMatchObject({
        not_mailed: expect.stringContaining('cannot send email'),
      });
    });
  });

  it('end sessions and links of somebody who is disabled, until enabled again', async () => {
    const email = 'off@toko.example';
    await add(email);
    const token = await beginSession(subject.people, email, { by: 'password', address: '::1', agent: '' });
    const link = tokenOf(await does(operator, 'user.reset', { email }));
    expect(await does(operator, 'user.disable', { email })).toMatchObject({ status: 'disabled' });
    expect(await findTicket(subject.people, link)).toBeNull();
    expect(await does(operator, 'user.enable', { email })).toMatchObject({ status: 'active' });
    expect(await findSession(subject.people, token)).toBeNull();
  });

  it('take a second factor away only when asked to', async () => {
    const email = 'phone@toko.example';
    await add(email);
    const user = (await userOf(subject.people, email))!;
    const body = { ...user.body, totp: { sealed: 'x', last: 1 }, recovery: ['y'] };
    await subject.people.records.replace(USERS, user, { body }, 0);
    await does(operator, 'user.reset', { email });
    expect((await userOf(subject.people, email))!.body).toMatchObject({ totp: { last: 1 }, recovery: ['y'] });
    await does(operator, 'user.reset', { email, second_factor: true });
    expect((await userOf(subject.people, email))!.body).toMatchObject({ totp: null, recovery: [] });
  });

  it('leave an operator: the last one is neither disabled nor demoted, not by two at once either', async () => {
    const email = 'op@toko.example';
    expect(await does(operator, 'user.disable', { email })).toBe(422);
    expect(await does(operator, 'user.role', { email, operator: false })).toBe(422);
    await add('second@toko.example', true);
    const both = [email, 'second@toko.example'];
    await Promise.all(both.map((one) => does(operator, 'user.role', { email: one, operator: false })));
    const left = await Promise.all(both.map(async (one) => (await userOf(subject.people, one))!.body.operator));
    expect(left).toContain(true);
  });

  it('write a line in the trail, without the link', async () => {
    const before = { email: 'trail@toko.example', role: 'viewer', workspace: 1 };
    const token = tokenOf(await does(member('owner'), 'user.invite', before));
    const entries = JSON.stringify(await subject.service.stores.operatorLog.list(50));
    expect(entries).toContain('trail@toko.example: viewer');
    expect(entries).not.toContain(token);
  });
});
