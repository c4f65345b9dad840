import { DatabaseSync } from '@photostructure/sqlite';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { ALARM_NOTICES, ALARMS } from '../../operations/alarms/list-alarms';
import { DATABASE } from '../../operations/installation/data-dir';
import { alarmId, nextStep, noticeId } from '../../domain/alarms/alarm';
import { eventually } from '../contract/helpers';
import { anyTask } from '../support/due-work';
import { dashboarded, type Visitor } from './visitor';

const PLACES = ['/health', '/health/examination', '/health/dead-letters', '/health/given-up', '/workspaces', '/queues'];

describe('the screens of the installation', () => {
  const subject = dashboarded();
  let operator: Visitor;
  let owner: Visitor;
  beforeAll(async () => {
    operator = await subject.person('operator@kurir.example', 'operator');
    owner = await subject.person('owner@toko.example', { 1: 'owner' });
  });
  const actions = async () =>
    (await subject.service.stores.operatorLog.list(5)).map(({ actor, action }) => `${actor} ${action}`);

  it.each([...PLACES, '/bounces', '/trail', '/workspaces/1'])('%s are for operators alone', async (path) => {
    expect((await operator.get(`/app${path}`)).status).toBe(200);
    const refused = await owner.get(`/app${path}`);
    expect(refused.status).toBe(404);
    expect(refused.html).not.toContain('href="/app/health"');
  });

  it.each([
    '/health/audit',
    '/health/switch',
    '/health/cap',
    '/workspaces',
    '/workspaces/1/suspend',
    '/workspaces/1/grant',
  ])('POST %s does nothing for the owner of a workspace', async (path) => {
    const fields = { what: 'api', state: 'off', n: '0', name: 'Baru', coins: '100' };
    const { balance } = await subject.service.stores.coins.account(1);
    expect((await owner.post(`/app${path}`, fields)).status).toBe(404);
    expect(await subject.service.stores.settings.get('switches')).toBeUndefined();
    expect(await subject.service.stores.settings.get('audit')).toBeUndefined();
    expect(await subject.service.stores.workspaces.list()).toHaveLength(1);
    expect((await subject.service.stores.coins.account(1)).balance).toBe(balance);
  });

  it('runs an audit, shows its verdict, and names the invariant that does not hold', async () => {
    expect((await operator.get('/app/health')).html).toContain('No audit has been run here yet.');
    expect(await operator.post('/app/health/audit')).toMatchObject({ status: 303, location: '/app/health#audit' });
    await eventually(async () => expect((await operator.get('/app/health')).html).toContain('No differences found at'));
    expect(await actions()).toContain('operator@kurir.example audit start');
    const db = new DatabaseSync(join(subject.service.dataDir, DATABASE));
    db.exec('UPDATE balances SET balance = balance + 7');
    await operator.post('/app/health/audit');
    await eventually(async () => {
      const { html } = await operator.get('/app/health');
      expect(html).toContain('The last audit found');
      expect(html).toMatch(/1 difference<\/span><\/td>\s*<td class="">the balance is the sum of the ledger/);
    });
    db.exec('UPDATE balances SET balance = balance - 7');
    db.close();
  });

  it('starts no second audit while one runs', async () => {
    const { settings } = subject.service.stores;
    const before = await settings.get('audit');
    const now = subject.service.clock.now();
    await settings.set('audit', {
      run: { by: 'budi', startedAt: now, until: now + 60_000 },
      last: null,
      failure: null,
    });
    const refused = await operator.post('/app/health/audit');
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('An audit is already running.');
    expect(refused.html).toContain('started by budi');
    await settings.set('audit', { run: { by: 'budi', startedAt: now - 2, until: now - 1 }, last: null, failure: null });
    expect((await operator.get('/app/health')).html).toContain('the service stopped before the audit finished');
    await settings.set('audit', before);
  });

  it('turns the switches, and sets the cap or says what is wrong with it', async () => {
    await operator.post('/app/health/switch', { what: 'api', state: 'off' });
    const { html } = await operator.get('/app/health');
    expect(html).toContain('The REST API is off');
    expect(await subject.service.stores.settings.get('switches')).toEqual({ api: false });
    await operator.post('/app/health/switch', { what: 'api', state: 'on' });
    expect(await subject.service.stores.settings.get('switches')).toEqual({ api: true });
    const refused = await operator.post('/app/health/cap', { n: 'banyak' });
    expect(refused.status).toBe(422);
    expect(refused.html).toMatch(/id="n-fault">[^<]*must be a whole number from 0 to 1000000000, or off/);
    expect(refused.html).toContain('value="banyak"');
    await operator.post('/app/health/cap', { n: '5000' });
    expect(await subject.service.stores.settings.get('warmup_cap')).toBe(5000);
    await operator.post('/app/health/cap', { n: 'off' });
    expect(await subject.service.stores.settings.get('warmup_cap')).toBeNull();
  });

  it('shows what was given up with its reason, and drives it again', async () => {
    const { dueTasks } = subject.service.stores;
    const now = subject.service.clock.now();
    await dueTasks.schedule([
      anyTask({ kind: 'test-kind', id: '7', workspaceId: 1, lane: '', dueAt: now, payload: { a: 1 } }),
    ]);
    const [due] = await dueTasks.claim({ kind: 'test-kind', now, leaseUntil: now + 60_000, limit: 1 });
    await dueTasks.giveUp(due!, 'it <b>failed</b>', now);
    expect((await operator.get('/app/health')).html).toContain('1 job failed.');
    const { html } = await operator.get('/app/health/given-up');
    expect(html).toContain('it &lt;b&gt;failed&lt;/b&gt;');
    expect(html).toContain('value="test-kind/7"');
    const done = await operator.post('/app/health/given-up', { tasks: 'test-kind/7' });
    expect(done).toMatchObject({ status: 303, location: '/app/health/given-up' });
    expect(await dueTasks.givenUp('test-kind', null, 10)).toEqual([]);
  });

  it('shows the alarms that stand, and why they do not arrive', async () => {
    const { records } = subject.service.stores;
    const now = subject.service.clock.now();
    const of = '203.0.113.7 zen.test';
    const { alarm } = nextStep(
      null,
      { kind: 'blocklist', subject: of, workspaceId: null, text: `${of} <listed>` },
      now,
    )!;
    await records.add(ALARMS, { id: alarmId(alarm), workspaceId: null, body: alarm }, now);
    const body = { event: 'raised', at: now, alarm, failing: { url: 'The endpoint answered 503.' } } as const;
    await records.add(ALARM_NOTICES, { id: noticeId(alarm), workspaceId: null, body }, now);
    const { html } = await operator.get('/app/health');
    expect(html).toContain('203.0.113.7 zen.test &lt;listed&gt; Since ');
    expect(html).toContain('Alarms cannot be delivered: The endpoint answered 503.');
  });

  it('shows what waits in each workspace, and what for', async () => {
    const sendAt = new Date(subject.service.clock.now() + 3_600_000).toISOString();
    await subject.service.send('nanti@penerima.example', { send_at: sendAt });
    const { html } = await operator.get('/app/queues');
    expect(html).toContain('/app/w/1/messages?status=queued');
    expect(html).toContain('the scheduled time or the next attempt');
  });

  it('counts refusals by class and receiving domain', async () => {
    const id = await subject.service.send('hardbounce@penerima.example');
    await subject.service.untilStatus(id, 'bounced');
    const { html } = await operator.get('/app/bounces');
    expect(html).toContain('address_unknown');
    expect(html).toContain('penerima.example 1');
    expect(html).not.toContain('hardbounce@');
  });

  it('makes a workspace, finds it by name, books coins once, suspends it and lets it go on', async () => {
    const refused = await operator.post('/app/workspaces', { name: '12' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('must not be a number');
    const made = await operator.post('/app/workspaces', { name: 'Toko <Melati>', address: 'Jl. Melati 1' });
    const path = made.location ?? '';
    expect(path).toMatch(/^\/app\/workspaces\/\d+$/);
    const id = Number(path.split('/').at(-1));
    expect((await operator.get('/app/workspaces?name=melati')).html).toContain(`href="${path}"`);
    expect((await operator.get('/app/workspaces?name=mawar')).html).toContain('No workspaces found.');
    const fields = { coins: '500', reference: 'INV-1' };
    await operator.post(`${path}/top-up`, fields);
    await operator.post(`${path}/top-up`, fields);
    expect((await subject.service.stores.coins.account(id)).balance).toBe(500);
    const wrong = await operator.post(`${path}/grant`, { coins: '-5' });
    expect(wrong.status).toBe(422);
    expect((await subject.service.stores.coins.account(id)).balance).toBe(500);
    await operator.post(`${path}/suspend`);
    expect((await subject.service.stores.workspaces.get(id))?.suspended).toBe(true);
    expect((await operator.get(path)).html).toContain(`${path}/resume`);
    await operator.post(`${path}/resume`);
    expect((await subject.service.stores.workspaces.get(id))?.suspended).toBe(false);
    expect((await operator.get('/app/trail')).html).toContain('workspace suspend');
  });
});
