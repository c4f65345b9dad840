import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPostfixLog, checkPublicUrl, checkSendingServers } from '../../../operations/doctor/check-sending-server';
import { parseQueueSettings, readQueueSettings } from '../../../operations/doctor/postfix-settings';
import { DAY, HOUR, MINUTE } from '../../../lib/clock';

let greeting = '';
let server: Server;
let mtaUrl = '';
beforeAll(async () => {
  server = createServer(
    (socket) =>
      void socket
        .on('error', () => undefined)
        .resume()
        .end(`${greeting}\r\n`),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  mtaUrl = `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

const settings = (maximal: number, bounce = maximal, delay = HOUR) => ({
  maximal_queue_lifetime: maximal,
  bounce_queue_lifetime: bounce,
  delay_warning_time: delay,
});
const check = (read: () => Promise<ReturnType<typeof settings> | null>, evidenceWait = 4 * DAY) =>
  checkSendingServers({ mtaServers: [{ name: 'default', url: mtaUrl }], mtaRoutes: [], evidenceWait }, read);
const unread = (): Promise<null> => Promise.reject(new Error('was asked'));

describe('how long the sending server keeps mail', () => {
  beforeAll(() => void (greeting = '220 mx.test ESMTP Postfix (Debian/GNU)'));

  it('is wrong when Postfix gives up no sooner than KURIR_EVIDENCE_WAIT', async () => {
    for (const found of [settings(5 * DAY), settings(4 * DAY, DAY), settings(DAY, 5 * DAY)])
      expect((await check(() => Promise.resolve(found)))[1]).toMatchObject({ status: 'wrong' });
    expect((await check(() => Promise.resolve(settings(5 * DAY, DAY))))[1]).toEqual({
      check: 'sending server queue',
      status: 'wrong',
      detail:
        'Postfix keeps email in its queue too long: maximal_queue_lifetime = 5d; set both below KURIR_EVIDENCE_WAIT (4d) in main.cf',
    });
  });

  it('is right when it is shorter', async () => {
    expect(await check(() => Promise.resolve(settings(3 * DAY)))).toEqual([
      { check: 'sending server', status: 'ok', detail: `${mtaUrl.slice(7)} answers` },
      {
        check: 'sending server queue',
        status: 'ok',
        detail:
          'Postfix gives up before KURIR_EVIDENCE_WAIT (4d): maximal_queue_lifetime = 3d, bounce_queue_lifetime = 3d',
      },
    ]);
  });

  it('has a note when no delay is reported', async () => {
    const found = await check(() => Promise.resolve(settings(3 * DAY, 3 * DAY, 0)));
    expect(found.map(({ status }) => status)).toEqual(['ok', 'ok', 'note']);
  });

  it('is a note where it cannot be read', async () => {
    expect((await check(() => Promise.resolve(null)))[1]).toEqual({
      check: 'sending server queue',
      status: 'note',
      detail:
        'cannot be read from here: it must give up before KURIR_EVIDENCE_WAIT (4d); ' +
        'Postfix keeps email for 5d by default',
    });
  });

  it('is not asked of a Postfix that is not the sending server', async () => {
    greeting = '220 mx.test ESMTP other';
    expect((await check(unread)).map(({ status }) => status)).toEqual(['ok', 'note']);
  });

  it('is looked at for each of several servers, by name', async () => {
    greeting = '220 mx.test ESMTP other';
    const mtaServers = [
      { name: 'main', url: mtaUrl },
      { name: 'warm', url: 'smtp://127.0.0.1:1' },
    ];
    const rows = await checkSendingServers({ mtaServers, mtaRoutes: [], evidenceWait: DAY }, unread);
    expect(rows.map(({ status, detail }) => [status, detail.split(' ').slice(0, 3).join(' ')])).toEqual([
      ['ok', `main: ${mtaUrl.slice(7)} answers`],
      ['note', 'main: cannot be'],
      ['wrong', 'warm: 127.0.0.1:1 does'],
      ['note', 'warm: used for'],
    ]);
    const mtaRoutes = [{ of: 'fallback', value: '', server: 'warm' } as const];
    expect(await checkSendingServers({ mtaServers, mtaRoutes, evidenceWait: DAY }, unread)).toHaveLength(3);
  });

  it('is not asked of a server that does not answer, nor of the sandbox', async () => {
    greeting = '554 no Postfix here';
    expect((await check(unread)).map(({ status }) => status)).toEqual(['wrong']);
    expect(await checkSendingServers({ mtaServers: [], mtaRoutes: [], evidenceWait: DAY }, unread)).toEqual([]);
  });
});

describe('the settings of Postfix', () => {
  const printed = (maximal: string, bounce: string, delay: string): string =>
    `maximal_queue_lifetime = ${maximal}\nbounce_queue_lifetime = ${bounce}\ndelay_warning_time = ${delay}\n`;

  it.each([
    ['5d', '300s', '1h', settings(5 * DAY, 5 * MINUTE)],
    ['2', '2w', '0', settings(2 * DAY, 14 * DAY, 0)],
    ['90m', '1', '4', settings(90 * MINUTE, DAY, 4 * HOUR)],
  ])('%s, %s, %s are read in their units', (maximal, bounce, delay, expected) => {
    expect(parseQueueSettings(printed(maximal, bounce, delay))).toEqual(expected);
  });

  it.each([printed('', '1d', '1h'), printed('1d', '$x', '1h'), printed('1d', '1d', 'soon'), ''])(
    'that are no times say nothing: %j',
    (text) => {
      expect(parseQueueSettings(text)).toBeNull();
    },
  );

  it('come from postconf, and none where there is no such program or it fails', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'kurir-postconf-'));
    const postconf = join(dir, 'postconf');
    const write = (script: string): void => {
      writeFileSync(postconf, `#!/bin/sh\n${script}\n`);
      chmodSync(postconf, 0o755);
    };
    write(
      `echo "postconf: warning" >&2; [ "$*" = "-x maximal_queue_lifetime bounce_queue_lifetime delay_warning_time" ] && printf '${printed('5d', '5d', '0h').replaceAll('\n', '\\n')}'`,
    );
    expect(await readQueueSettings([join(dir, 'none'), postconf])).toEqual(settings(5 * DAY, 5 * DAY, 0));
    write('exit 1');
    expect(await readQueueSettings([join(dir, 'none'), postconf])).toBeNull();
    rmSync(dir, { recursive: true });
  });
});

describe('the address of links', () => {
  const mta = 'smtp://mta.example';

  it('is wrong when recipients cannot reach it, and names the setting', () => {
    for (const publicUrl of [null, 'http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']) {
      const [row, ...more] = checkPublicUrl({ publicUrl, mtaUrl: mta });
      expect([publicUrl, row, more]).toEqual([
        publicUrl,
        {
          check: 'public address',
          status: 'wrong',
          detail: expect.stringContaining('Set KURIR_PUBLIC_URL') as unknown,
        },
        [],
      ]);
    }
  });

  it('is right when it is public, and of no matter with the sandbox', () => {
    const publicUrl = 'https://mail.toko.example';
    expect(checkPublicUrl({ publicUrl, mtaUrl: mta })).toEqual([
      { check: 'public address', status: 'ok', detail: publicUrl },
    ]);
    expect(checkPublicUrl({ publicUrl: null, mtaUrl: null })).toEqual([]);
  });
});

describe('the log of the sending server', () => {
  it('is a row when it is set: ok, or wrong with the reason', async () => {
    expect(await checkPostfixLog({ postfixLog: null })).toEqual([]);
    expect(await checkPostfixLog({ postfixLog: __filename })).toMatchObject([{ status: 'ok' }]);
    const missing = join(tmpdir(), 'nothing', 'mail.log');
    expect(await checkPostfixLog({ postfixLog: missing })).toMatchObject([
      { check: 'log of the sending server', status: 'wrong', detail: expect.stringContaining('ENOENT') as unknown },
    ]);
  });
});
