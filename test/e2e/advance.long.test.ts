import { afterAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from '@photostructure/sqlite';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DAY, HOUR, MINUTE } from '../../lib/clock';
import type { Child } from '../../proof/crash/stage/child';
import { Caller, temporaryDir, testEnv } from '../support/running';
import { readFirstRun, runToEnd, Service, startKurir } from '../support/service';
import { until } from '../contract/helpers';

const root = temporaryDir();
const services: Service[] = [];
afterAll(async () => {
  for (const service of services) await service.kill();
  rmSync(root, { recursive: true, force: true });
});

const dirOf = (name: string): string => join(root, name);

async function start(name: string, env: Record<string, string> = {}): Promise<Service> {
  const service = await Service.start(dirOf(name), env);
  services.push(service);
  return service;
}

interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/** `kurir sandbox ...` as an operator runs it, on the data dir of that name. */
const command = (name: string, args: readonly string[], env: Record<string, string> = {}): Child =>
  startKurir(dirOf(name), ['sandbox', ...args], env);

async function ended(child: Child): Promise<Ended> {
  const { code } = await child.ended;
  return { code, out: child.stdout, err: child.stderr };
}

const sandbox = (name: string, ...args: string[]): Promise<Ended> => ended(command(name, args));

interface Times {
  machine_time: string;
  service_time: string;
  offset_ms: number;
}
const now = async (name: string): Promise<Times> => JSON.parse((await sandbox(name, 'now', '--json')).out) as Times;

function caller(name: string): { api: Caller; send: (to: string) => Promise<string> } {
  const demo = readFirstRun(dirOf(name));
  const api = new Caller(demo.base_url, demo.api_key);
  return { api, send: (to) => api.send(to, demo.sending_domain_id) };
}

function query<T>(name: string, file: string, sql: string): T[] {
  const db = new DatabaseSync(join(dirOf(name), file), { readOnly: true });
  try {
    return db.prepare(sql).all() as T[];
  } finally {
    db.close();
  }
}

describe('kurir sandbox advance, beside the running service', () => {
  it('three days of 451 end in the text of the contract with the coin back, and both commands tell the time', async () => {
    await start('days');
    const { api, send } = caller('days');
    const coins = async (): Promise<unknown> => ((await api.get('/account')).body.email as { coins: number }).coins;
    const id = await send('defer@pelanggan.test');
    const { code, out, err } = await sandbox('days', 'advance', '3d', '--json');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(JSON.parse(out)).toEqual({
      machine_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{6}Z$/) as unknown,
      service_time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*\.\d{6}Z$/) as unknown,
      offset_ms: 3 * DAY,
      advanced_ms: 3 * DAY,
      steps: expect.any(Number) as unknown,
      stopped: false,
    });
    await sandbox('days', 'advance', '1m');
    const { body } = await api.get(`/messages/${id}`);
    expect(body.status).toBe('failed');
    expect(body.failed_reason).toMatch(/^MTA menolak sementara terus-menerus: 451 /);
    expect(await coins()).toBe(100_000);
    const { machine_time, service_time, offset_ms } = await now('days');
    expect(Date.parse(service_time) - Date.parse(machine_time)).toBe(offset_ms);
    expect(offset_ms).toBe(3 * DAY + MINUTE);
    expect((await sandbox('days', 'now')).out).toMatch(/^machine {2}20.* WIB\nservice {2}20.* WIB\noffset {3}3d\n$/);
    const trail = query('days', 'kurir.sqlite', 'SELECT action, target FROM operator_log ORDER BY id');
    expect(trail).toEqual([
      { action: 'sandbox advance', target: '3d' },
      { action: 'sandbox advance', target: '1m' },
    ]);
  });

  it('the time and what was waited for outlast a restart, and a message sent then is of the new time', async () => {
    const first = await start('restart');
    await sandbox('restart', 'advance', '5d');
    const before = await now('restart');
    expect((await first.terminate()).code).toBe(0);
    const stopped = await sandbox('restart', 'advance', '1d');
    expect(stopped.code).toBe(1);
    expect(stopped.err).toMatch(/^No service is running on .*: start it .*KURIR_DATA_DIR.*\n$/);
    expect((await now('restart')).offset_ms).toBe(before.offset_ms);
    await start('restart');
    const { api } = caller('restart');
    const base = services.at(-1)!.printed.match(/"base_url":"([^"]+)"/)![1]!;
    const again = new Caller(base, api.key);
    const id = await again.send('delivered@y.test', 1);
    await sandbox('restart', 'advance', '1s');
    const { body } = await again.get(`/messages/${id}`);
    expect(Date.parse(String(body.dispatched_at))).toBeGreaterThanOrEqual(Date.parse(before.service_time));
  });

  it('kill -9 in the middle: time is not behind any time stamp, and the rest of the way ends as it would have', async () => {
    const service = await start('kill');
    const { send } = caller('kill');
    const people = ['defer', 'softbounce', 'greylist', 'delivered', 'delayed'];
    await Promise.all(Array.from({ length: 20 }, (_, i) => send(`${people[i % 5]}+${i}@pelanggan.test`)));
    const travel = command('kill', ['advance', '3d']);
    const offset = (): number =>
      Number(
        query<{ value: string }>('kill', 'kurir.sqlite', "SELECT value FROM settings WHERE name = 'clock_offset'")[0]
          ?.value ?? 0,
      );
    await until(() => offset() >= 10 * HOUR, 5);
    await service.kill();
    const cut = await ended(travel);
    expect(cut.code).toBe(1);
    expect(cut.err).toBe(
      'The service stopped while its clock was being moved: start it again, and advance it by the rest.\n',
    );
    expect(offset()).toBeLessThan(3 * DAY);

    const latest = Math.max(
      ...[
        'ledger.at',
        'log_messages_dispatch.at',
        'log_coins_entries.at',
        'attempts.claimed_at',
        'attempts.finished_at',
      ].map((column) => {
        const [table, name] = column.split('.');
        return query<{ at: number }>('kill', 'kurir.sqlite', `SELECT max(${name}) AS at FROM ${table}`)[0]!.at;
      }),
    );
    expect(latest).toBeGreaterThan(Date.now() + 9 * HOUR);
    await start('kill');
    expect(Date.parse((await now('kill')).service_time)).toBeGreaterThanOrEqual(latest);
    expect((await sandbox('kill', 'advance', '3d')).code).toBe(0);
    const rows = query<{ status: string; recipient: string; coins: number; fastest: number }>(
      'kill',
      'kurir.sqlite',
      `SELECT status, recipient, (SELECT sum(amount) FROM ledger WHERE message_id = messages.id) AS coins FROM messages`,
    );
    expect(rows).toHaveLength(20);
    for (const { status, recipient, coins } of rows) {
      const failed = recipient.startsWith('defer');
      expect({ recipient, status, coins }).toEqual({
        recipient,
        status: failed ? 'failed' : 'delivered',
        coins: failed ? 0 : -1,
      });
    }
    const twice = query(
      'kill',
      'sandbox.sqlite',
      'SELECT message_id FROM mails GROUP BY message_id HAVING count(*) > 1',
    );
    expect(twice).toEqual([]);
    const early = query<{ wait: number }>(
      'kill',
      'kurir.sqlite',
      `SELECT min(b.claimed_at - a.finished_at) AS wait FROM attempts a JOIN attempts b ON b.seq = a.seq AND b.n = a.n + 1
       WHERE a.outcome = 'refused_temporarily'`,
    );
    expect(early[0]!.wait).toBeGreaterThanOrEqual(MINUTE);
  });

  it('Ctrl-C stops it after its present step, exit code 130; a second advance beside it is refused', async () => {
    await start('stop');
    const { send } = caller('stop');
    await Promise.all(Array.from({ length: 30 }, (_, i) => send(`defer+${i}@pelanggan.test`)));
    const travel = command('stop', ['advance', '3d', '--json']);
    await until(async () => (await now('stop')).offset_ms !== 0, 5);
    const second = await sandbox('stop', 'advance', '1h');
    expect(second).toMatchObject({
      code: 1,
      err: 'The clock is already being advanced: wait until that has finished, or stop it.\n',
    });
    travel.interrupt();
    const { code, out } = await ended(travel);
    const { stopped, advanced_ms } = JSON.parse(out) as { stopped: boolean; advanced_ms: number };
    expect({ code, stopped }).toEqual({ code: 130, stopped: true });
    expect(advanced_ms).toBeLessThan(3 * DAY);
    expect((await sandbox('stop', 'advance', '1h')).code).toBe(0);
  });
});

describe('kurir sandbox advance is refused', () => {
  it('with a real sending server, by the service as by the environment of the command', async () => {
    await start('real', { KURIR_MTA_URL: 'smtp://127.0.0.1:9' });
    for (const env of [{}, { KURIR_MTA_URL: 'smtp://127.0.0.1:9' }]) {
      const { code, out, err } = await ended(command('real', ['advance', '3d'], env));
      expect({ code, out }).toEqual({ code: 1, out: '' });
      expect(err).toMatch(/^The clock can be moved only with the sandbox, but .* a real sending server: .*\n$/);
    }
    expect((await now('real')).offset_ms).toBe(0);
  });

  it('and data whose clock was moved cannot be used with one', async () => {
    const service = await start('moved');
    await sandbox('moved', 'advance', '2d');
    await service.kill();
    const { code, printed } = await runToEnd({ ...testEnv(dirOf('moved')), KURIR_MTA_URL: 'smtp://127.0.0.1:9' });
    expect(code).toBe(1);
    expect(printed).toMatch(/^The clock of this data directory is .* ahead .*KURIR_DATA_DIR.*\n$/);
  });

  it.each([
    ['0d', /longer than zero/],
    ['-3d', /must be a duration such as/],
    ['3', /must be a duration such as/],
    ['3 days', /must be a duration such as/],
    ['3654d', /at most 3653d/],
    [`${'9'.repeat(30)}d`, /must be a duration such as/],
  ])('for %p, with the argument and the way to write it', async (text, reason) => {
    const { code, out, err } = await sandbox('nowhere', 'advance', text);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^<duration> must be /);
    expect(err).toMatch(reason);
    expect(err).toContain(`(is "${text}")`);
  });

  it.each([[[]], [['3d', '4d']], [['3d', '--fast']]])('for the arguments %j, as a usage error', async (args) => {
    const { code, out, err } = await sandbox('nowhere', 'advance', ...args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(/^error: .*argument/);
  });

  it('with --json as JSON: the argument, and where there is no service', async () => {
    const fault = async (text: string): Promise<unknown> =>
      (JSON.parse((await sandbox('nowhere', 'advance', text, '--json')).err) as { error: unknown }).error;
    expect(await fault('-3d')).toEqual({
      message: '<duration> must be a duration such as 30s, 10m, 23h, 3d or 1d12h (is "-3d").',
      argument: '<duration>',
      fix: 'Use another <duration>; see --help.',
    });
    expect(await fault('3d')).toMatchObject({
      message: expect.stringMatching(/^No service is running/) as unknown,
      argument: null,
    });
  });

  it('where there is no data, and so is now', async () => {
    expect(await sandbox('nowhere', 'advance', '3d')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^No service is running/) as unknown,
    });
    expect(await sandbox('nowhere', 'now')).toMatchObject({
      code: 1,
      err: expect.stringMatching(/^There is no data/) as unknown,
    });
  });
});
