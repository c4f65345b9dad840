import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { chmodSync, existsSync, readdirSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import { acceptMessage, createSender, refundRecord, type Sender } from '../support/builders';
import { frozenClock, TEST_START as NOW } from '../support/clock';
import { TestOperator, type Said } from '../support/test-operator';
import { Running } from '../support/running';

interface Found {
  service: string;
  ok: boolean;
  checks: { check: string; status: string; detail: string }[];
  overdue: { message_id: string; owner: string; status: string; deadline: string }[];
  ports: { name: string; answers: boolean }[];
  leases: { name: string; holder: string | null }[];
  groups: { group: string; lag: number; behind_since: string | null }[];
}
const found = ({ json }: Said): Found => json as unknown as Found;
const wrong = (said: Said): string[] =>
  found(said)
    .checks.filter(({ status }) => status === 'wrong')
    .map(({ check }) => check);

describe('kurir doctor, with the service down', () => {
  let operator: TestOperator;
  let sender: Sender;
  beforeEach(async () => {
    operator = await TestOperator.open();
    sender = await operator.with(({ stores }) => createSender(stores, { coins: 100 }));
  });
  afterEach(() => operator.remove());
  const doctor = (...more: string[]) => operator.run(['doctor', '--json', ...more]);
  const claim = (leaseUntil: number) =>
    operator.with(async ({ stores }) => {
      const { id } = await acceptMessage(stores, sender);
      const epoch = (await stores.leases.acquire('test', 'test', NOW, MINUTE))!;
      const caps = { day: '2026-01-05', workspaceDayCap: null, platformDayCap: null };
      const lease = { name: 'test', owner: 'test', epoch };
      const of = { workspaceId: sender.workspace.id, lane: 'transactional' as const, limit: 1, now: NOW };
      await stores.queue.claim({ ...of, leaseUntil, lease, ...caps });
      return id;
    });

  it('says so; nothing is wrong with data at rest: exit code 0', async () => {
    const said = await doctor();
    expect(said.code).toBe(0);
    expect(found(said)).toMatchObject({ service: 'stopped', ok: true, overdue: [] });
    expect((await operator.run(['doctor'])).out).toMatch(/The service is stopped\. All checks passed\.\n$/);
    expect(readdirSync(operator.dataDir).filter((name) => name.startsWith('.doctor'))).toEqual([]);
  });

  it('names a queued message whose turn has passed: owner throttle', async () => {
    const { id } = await operator.with(({ stores }) => acceptMessage(stores, sender));
    operator.clock.advance(HOUR);
    const said = await doctor();
    expect(said.code).toBe(1);
    expect(found(said).overdue).toEqual([
      expect.objectContaining({ message_id: id, status: 'queued', owner: 'throttle' }),
    ]);
    expect((await operator.run(['doctor'])).out).toContain('2026-01-05 10:00:00 WIB, 1h ago');
    expect((await operator.run(['doctor', '--utc'])).out).toContain('2026-01-05 03:00:00 UTC, 1h ago');
    expect((await operator.run(['doctor'])).out).toContain('2026-01-05 10:00:00 WIB, 1h ago');
  });

  it('not one that waits for its rate or its day', async () => {
    await operator.with(({ stores }) => acceptMessage(stores, sender));
    operator.clock.advance(HOUR);
    await operator.ask('warmup', 'cap', '0');
    expect(found(await doctor()).overdue).toEqual([]);
  });

  it('names a lost hand-off, a report that never came and attachments held too long', async () => {
    const lost = await claim(NOW + 12 * MINUTE);
    const silent = await claim(NOW + 12 * MINUTE);
    const holding = await operator.with(async ({ stores }) => {
      const set = { status: 'sent_to_mta' as const, dueAt: NOW + 4 * DAY };
      await stores.messages.change(silent, () => ({ set, at: NOW, records: [] }));
      const content = { filename: 'a', contentType: 'text/plain', content: Buffer.from('a') };
      return acceptMessage(stores, sender, { attachments: [content], attachmentsUntil: NOW + 4 * DAY });
    });
    operator.clock.advance(5 * DAY);
    const owners = Object.fromEntries(found(await doctor()).overdue.map((row) => [row.message_id, row.owner]));
    expect(owners).toMatchObject({ [lost]: 'timers', [silent]: 'timers', [holding.id]: expect.any(String) as unknown });
  });

  it('names a claim that nobody hands over, before its lease ends: owner dispatch', async () => {
    const id = await claim(NOW + 12 * MINUTE);
    operator.clock.advance(6 * MINUTE);
    expect(found(await doctor()).overdue).toEqual([expect.objectContaining({ message_id: id, owner: 'dispatch' })]);
  });

  it('lists at most --limit rows of each kind', async () => {
    await operator.with(async ({ stores }) => {
      for (let n = 0; n < 5; n += 1) await acceptMessage(stores, sender);
    });
    operator.clock.advance(HOUR);
    expect(found(await doctor('--limit', '2')).overdue).toHaveLength(2);
  });

  it('finds parked records, and shows how far each group is behind', async () => {
    await operator.with(async ({ log }) => {
      await log.publish([refundRecord({ id: 'm', workspaceId: 1 }, 1)]);
      const record = { topic: 'coins.entries' as const, partition: 0, offset: 1, key: '1', version: 1, at: NOW };
      const { value } = refundRecord({ id: 'm', workspaceId: 1 }, 1);
      await log.park({ ...record, forGroup: null, value }, 'coins', 'a bug');
    });
    operator.clock.advance(MINUTE);
    const said = await doctor();
    expect({ code: said.code, wrong: wrong(said) }).toEqual({ code: 1, wrong: ['parked'] });
    const coins = found(said).groups.find(({ group }) => group === 'coins');
    expect(coins).toMatchObject({ lag: 1, behind_since: '2026-01-05T03:00:00.000000Z' });
  });

  it('finds a port that somebody else has taken', async () => {
    const other = createServer(
      (socket) =>
        void socket
          .on('error', () => undefined)
          .resume()
          .end('220 mine\r\n'),
    );
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const port = String((other.address() as AddressInfo).port);
    const taken = await TestOperator.open({
      dataDir: operator.dataDir,
      clock: operator.clock,
      env: { KURIR_BOUNCE_PORT: port },
    });
    expect(wrong(await taken.run(['doctor', '--json']))).toEqual(['port bounce']);
    await new Promise((resolve) => other.close(resolve));
    expect(wrong(await taken.run(['doctor', '--json']))).toEqual([]);
  });

  it('finds a secret that others can read, and one that is not of this data', async () => {
    chmodSync(join(operator.dataDir, 'secret'), 0o644);
    expect(wrong(await doctor())).toEqual(['secret']);
    const env = { KURIR_SECRET: 'another master secret, 32 or more' };
    const other = await TestOperator.open({ dataDir: operator.dataDir, clock: operator.clock, env });
    chmodSync(join(operator.dataDir, 'secret'), 0o600);
    expect(wrong(await other.run(['doctor', '--json']))).toEqual(['secret']);
  });

  it('finds a clock that is behind the one of the service', async () => {
    await operator.with(({ stores }) => stores.leases.acquire('throttle/0', 'embedded', NOW + HOUR, 15_000));
    expect(wrong(await doctor())).toEqual(['clock']);
  });

  it('finds a sending server that does not answer', async () => {
    const env = { KURIR_MTA_URL: 'smtp://127.0.0.1:1', KURIR_PUBLIC_URL: 'https://mail.toko.example' };
    const other = await TestOperator.open({ dataDir: operator.dataDir, clock: operator.clock, env });
    expect(wrong(await other.run(['doctor', '--json']))).toEqual(['sending server']);
  });

  it.each(['0', 'x', '10001'])('--limit %s is refused with exit code 2', async (limit) => {
    expect((await doctor('--limit', limit)).code).toBe(2);
  });
});

describe('kurir doctor, beside the running service', () => {
  it('says so: ports answer, every shard is held, no group is behind; and sees a service that went', async () => {
    const clock = frozenClock();
    const running = await Running.start({}, clock);
    const operator = await TestOperator.open({ dataDir: running.dataDir, clock });
    const said = await operator.run(['doctor', '--json']);
    expect({ wrong: wrong(said), code: said.code }).toEqual({ wrong: [], code: 0 });
    expect(found(said)).toMatchObject({
      service: 'running',
      ports: [
        { name: 'http', answers: true },
        { name: 'smtp', answers: true },
        { name: 'smtps', answers: true },
        { name: 'bounce', answers: true },
        { name: 'sandbox', answers: true },
      ],
    });
    expect(found(said).leases.filter(({ holder }) => holder === 'embedded')).toHaveLength(1);
    await running.rest();
    expect(existsSync(join(running.dataDir, 'running.json'))).toBe(false);
    expect(found(await operator.run(['doctor', '--json'])).service).toBe('stopped');
    operator.remove();
  });
});
