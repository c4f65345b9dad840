import { beforeAll, describe, expect, it } from '@jest/globals';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/settings';
const EVIL = '<script>alert("x")</script>';

describe('the settings of the dashboard', () => {
  const subject = dashboarded();
  let owner: Visitor;
  let developer: Visitor;
  let viewer: Visitor;
  beforeAll(async () => {
    owner = await subject.person('owner@toko.example', { 1: 'owner' });
    developer = await subject.person('dev@toko.example', { 1: 'developer' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
  });

  const trail = async (): Promise<string[]> =>
    (await subject.service.stores.operatorLog.list(10)).map(({ actor, action }) => `${actor} ${action}`);

  it('changes what mails say about the business, for an owner', async () => {
    const fields = { name: 'Demo', business_name: `Toko ${EVIL}`, address: 'Jl. Melati 1', language: 'en' };
    const saved = await owner.post(`${PAGE}/profile`, { ...fields, track_conversions: 'on' });
    expect(saved).toMatchObject({ status: 303, location: PAGE });
    const stored = await subject.service.stores.workspaces.get(1);
    expect(stored).toMatchObject({ businessAddress: 'Jl. Melati 1', language: 'en', trackConversions: true });
    for (const visitor of [owner, viewer]) {
      const { html } = await visitor.get(PAGE);
      expect(html).toContain('Toko &lt;script&gt;');
      expect(html).not.toContain('<script>alert');
    }
    const refused = await owner.post(`${PAGE}/profile`, { ...fields, name: '7' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="name-fault"');
    expect(refused.html).toContain('value="7"');
  });

  it('takes the address away when it is left empty, and keeps it when the form has none', async () => {
    const address = async () => (await subject.service.stores.workspaces.get(1))?.businessAddress;
    await owner.post(`${PAGE}/profile`, { address: 'Jl. Contoh 1' });
    await owner.post(`${PAGE}/profile`, { language: 'en' });
    expect(await address()).toBe('Jl. Contoh 1');
    await owner.post(`${PAGE}/profile`, { address: '', language: 'id' });
    expect(await address()).toBe('');
  });

  it('creates a key, shows it again with a line in the trail, and revokes it', async () => {
    const made = await developer.post(`${PAGE}/keys/create`, { name: 'toko', scopes: 'send_email', rate: '600' });
    const [key = ''] = /kurir_sk_\w{32}/.exec(made.html) ?? [];
    expect(made.status).toBe(200);
    const listed = await developer.get(PAGE);
    expect(listed.html).not.toContain(key);
    expect(listed.html).toContain('toko');
    const { id } = (await subject.service.stores.credentials.listKeys(1)).find(({ name }) => name === 'toko')!;
    expect((await developer.post(`${PAGE}/keys/${id}/show`)).html).toContain(key);
    expect((await trail())[0]).toBe('dev@toko.example key show');
    expect(await developer.post(`${PAGE}/keys/${id}/revoke`)).toMatchObject({ status: 303, location: PAGE });
    expect((await developer.get(PAGE)).html).toContain('revoked');
    const call = await fetch(`${subject.origin}/v1/account`, { headers: { authorization: `Bearer ${key}` } });
    expect(call.status).toBe(401);
  });

  it('makes no key that may do all when nothing is checked', async () => {
    const refused = await developer.post(`${PAGE}/keys/create`, { name: EVIL });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('id="scopes-fault"');
    expect(refused.html).not.toContain('<script>alert');
    const rate = await developer.post(`${PAGE}/keys/create`, { name: 'x', scopes: 'send_email', rate: '0' });
    expect(rate.html).toContain('id="rate-fault"');
  });

  it('creates an SMTP login, shows its password and gives it another', async () => {
    const made = await developer.post(`${PAGE}/smtp/create`);
    const [, password = ''] = /<code>(\w{32})<\/code>/.exec(made.html) ?? [];
    expect(password).toHaveLength(32);
    const { id } = (await subject.service.stores.credentials.listLogins(1)).at(-1)!;
    expect((await developer.get(PAGE)).html).not.toContain(password);
    expect((await developer.post(`${PAGE}/smtp/${id}/show`)).html).toContain(password);
    expect((await trail())[0]).toBe('dev@toko.example smtp show');
    const rotated = await developer.post(`${PAGE}/smtp/${id}/rotate`);
    expect(rotated.status).toBe(200);
    expect(rotated.html).not.toContain(password);
  });

  it('shows each role its part', async () => {
    const seen = async (visitor: Visitor) => {
      const { html } = await visitor.get(PAGE);
      return ['/settings/profile', '/keys/create', '/smtp/create', '/settings/members'].map((path) =>
        html.includes(path),
      );
    };
    expect(await seen(owner)).toEqual([true, true, true, true]);
    expect(await seen(developer)).toEqual([false, true, true, false]);
    expect(await seen(viewer)).toEqual([false, false, false, false]);
    expect((await developer.post(`${PAGE}/profile`, { name: 'X' })).status).toBe(404);
    for (const path of ['keys/create', 'keys/1/show', 'keys/1/revoke', 'smtp/create', 'smtp/1/show', 'smtp/1/rotate']) {
      expect((await viewer.post(`${PAGE}/${path}`, { name: 'x', scopes: 'send_email' })).status).toBe(404);
    }
  });

  it('reaches no key and no login of another workspace', async () => {
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Kenanga' });
    const both = await subject.person('both@toko.example', { 1: 'developer', [other.id]: 'developer' });
    const [key] = await stores.credentials.listKeys(1);
    const [login] = await stores.credentials.listLogins(1);
    const before = await trail();
    for (const path of [
      `keys/${key!.id}/show`,
      `keys/${key!.id}/revoke`,
      `smtp/${login!.id}/show`,
      `smtp/${login!.id}/rotate`,
    ]) {
      expect((await both.post(`/app/w/${other.id}/settings/${path}`)).status).toBe(404);
    }
    expect(await trail()).toEqual(before);
  });
});
