import { describe, expect, it } from '@jest/globals';
import { freePorts } from '../../../proof/crash/free-ports';
import { RoutedTransport } from '../../../email/transports/routed-transport';
import type { SmtpTransportOptions } from '../../../email/transports/smtp-options';
import { Semaphore } from '../../../lib/semaphore';
import { BIG, ENVELOPE, server, SMALL, transport } from '../support/hand-off';
import { drop, silent, type Script } from '../support/scripted-smtp';

interface How {
  realTime?: () => number;
  apart?: string[];
  timeouts?: SmtpTransportOptions['timeouts'];
}

const named = (urls: Record<string, string>, { realTime, apart, timeouts = {} }: How = {}): RoutedTransport =>
  new RoutedTransport(
    Object.entries(urls).map(([name, url]) => ({ name, transport: transport(url, { mayMove: true, timeouts }) })),
    async () => new Set(apart),
    realTime,
  );

/** A fence that lets through, and notes who asked. */
function noting() {
  const asked: (string | undefined)[] = [];
  return { asked, fence: async (name?: string) => (asked.push(name), true) };
}

async function nobody(): Promise<string> {
  const [port = 0] = await freePorts(1);
  return `smtp://127.0.0.1:${port}`;
}

/** One mail over `main`, which follows the script, with a willing server beside it. */
async function overMain(script: Script) {
  const [main, warm] = [await server(script), await server()];
  const { asked, fence } = noting();
  const outcome = await named({ main: main.url, warm: warm.url }).handOff(ENVELOPE, SMALL, fence);
  return { outcome, asked, main: main.bodies.length, warm: warm.bodies.length };
}

describe('of several sending servers', () => {
  it('a mail goes over the one that is chosen for it, otherwise over the first; the fence and the outcome name it', async () => {
    const [main, warm] = [await server(), await server()];
    const servers = named({ main: main.url, warm: warm.url });
    const { asked, fence } = noting();
    expect(await servers.handOff(ENVELOPE, SMALL, fence)).toMatchObject({ kind: 'sent', server: 'main' });
    const chosen = { ...ENVELOPE, server: 'warm' };
    expect(await servers.handOff(chosen, SMALL, fence)).toMatchObject({ kind: 'sent', server: 'warm' });
    expect(asked).toEqual(['main', 'warm']);
    expect([main.bodies.length, warm.bodies.length]).toEqual([1, 1]);
  });

  it('each has its own largest mail, and none takes over what is larger', async () => {
    const [large, small] = [await server(), await server({ ehlo: '250-mx\n250 SIZE 5000000' })];
    const servers = named({ main: await nobody(), small: small.url, large: large.url });
    expect([servers.largestMail(), servers.largestMail('small')]).toEqual([null, null]);
    // Nobody knows its limit yet, and what it says is no outcome of a mail of another server.
    expect(await servers.handOff(ENVELOPE, BIG, noting().fence)).toMatchObject({ kind: 'sent', server: 'large' });
    expect([small.connections, small.bodies.length]).toEqual([1, 0]);
    expect(['main', 'small', 'large'].map((name) => servers.largestMail(name))).toEqual([null, 5e6, 2e7]);
    expect(await servers.handOff(ENVELOPE, BIG, noting().fence)).toMatchObject({ kind: 'sent', server: 'large' });
    expect(small.commands.filter((line) => line.startsWith('EHLO'))).toHaveLength(1);
    const own = { ...ENVELOPE, server: 'small' };
    expect(await servers.handOff(own, BIG, noting().fence)).toMatchObject({ kind: 'refused', unasked: true });
  });

  it('a mail that only another one is too small for is tried again', async () => {
    const servers = named({ main: await nobody(), small: (await server({ ehlo: '250-mx\n250 SIZE 5000' })).url });
    expect(await servers.handOff(ENVELOPE, BIG, noting().fence)).toMatchObject({ kind: 'not_sent', server: 'main' });
  });
});

describe('a mail moves on to the next server after a definite failure of the first:', () => {
  const cases: [string, Script][] = [
    ['421 as the greeting', { greeting: '421 too many connections' }],
    ['554 as the greeting', { greeting: '554 not you' }],
    ['a greeting that never comes whole', { greeting: drop }],
    ['450 to EHLO', { ehlo: '450 later' }],
    ['421 to MAIL', { mail: '421 shutting down' }],
    ['a connection that ends at RCPT', { mail: '250 ok', rcpt: drop, data: drop }],
  ];
  it.each(cases)('%s', async (_name, script) => {
    expect(await overMain(script)).toEqual({
      outcome: { kind: 'sent', reply: '250 2.0.0 queued as ABC', server: 'warm' },
      asked: ['warm'],
      main: 0,
      warm: 1,
    });
  });

  it('a login that is refused', async () => {
    const main = await server({ ehlo: '250-mx.test\n250 AUTH PLAIN', auth: '535 5.7.8 wrong' });
    const warm = await server();
    const urls = { main: main.url.replace('//', '//u:p@'), warm: warm.url };
    expect(await named(urls).handOff(ENVELOPE, SMALL, noting().fence)).toMatchObject({ kind: 'sent', server: 'warm' });
  });

  it('nobody listens there, or its name has no address', async () => {
    const warm = await server();
    for (const gone of [await nobody(), 'smtp://mta.invalid']) {
      const servers = named({ main: gone, warm: warm.url });
      expect(await servers.handOff(ENVELOPE, SMALL, noting().fence)).toMatchObject({ kind: 'sent', server: 'warm' });
    }
  });

  it('its usual one, when it was to go over another, and otherwise the first', async () => {
    const [main, bulk] = [await server(), await server()];
    const warmedUp = { ...ENVELOPE, server: 'new', usual: 'bulk' };
    const over = async (usual: string): Promise<object> =>
      named({ main: main.url, bulk: usual, new: await nobody() }).handOff(warmedUp, SMALL, noting().fence);
    expect(await over(bulk.url)).toMatchObject({ kind: 'sent', server: 'bulk' });
    expect(await over(await nobody())).toMatchObject({ kind: 'sent', server: 'main' });
  });

  it('and when all fail, the outcome is that of its own, a definite failure', async () => {
    const servers = named({ main: (await server({ greeting: '421 later' })).url, warm: await nobody() });
    const { asked, fence } = noting();
    expect(await servers.handOff(ENVELOPE, SMALL, fence)).toEqual({
      kind: 'refused',
      permanent: false,
      reply: '421 later',
      unopened: true,
      server: 'main',
    });
    expect(asked).toEqual([]);
  });

  it('but not once a minute has passed', async () => {
    let now = 0;
    const main = await server({ greeting: (socket) => ((now = 60_001), void socket.destroy()) });
    const warm = await server();
    const servers = named({ main: main.url, warm: warm.url }, { realTime: () => now });
    expect(await servers.handOff(ENVELOPE, SMALL, noting().fence)).toMatchObject({ kind: 'not_sent', server: 'main' });
    expect(warm.connections).toBe(0);
  });
});

describe('a mail stays with its server', () => {
  const cases: [string, Script, object][] = [
    ['after a refusal of the mail for now', { rcpt: '450 4.2.0 greylisted', data: '503 no' }, { kind: 'refused' }],
    ['after a refusal for good', { rcpt: '550 5.1.1 unknown', data: '503 no' }, { kind: 'refused', permanent: true }],
    ['after a refusal of its content', { dot: '451 4.3.0 later' }, { kind: 'refused', permanent: false }],
    ['when its outcome is unknown', { dot: drop }, { kind: 'unknown' }],
    ['when the connection ends behind the fence', { body: (socket) => void socket.destroy() }, {}],
    ['after 421 to the whole mail', { dot: '421 4.3.0 full' }, { kind: 'refused', permanent: false }],
  ];
  it.each(cases)('%s', async (_name, script, outcome) => {
    const { warm, ...first } = await overMain(script);
    expect(first.outcome).toMatchObject({ ...outcome, server: 'main' });
    expect(warm).toBe(0);
  });

  it('when the other one takes over from none', async () => {
    const warm = await server();
    const servers = named({ main: await nobody(), warm: warm.url }, { apart: ['warm'] });
    for (let n = 0; n < 2; n += 1) {
      expect(await servers.handOff(ENVELOPE, SMALL, noting().fence)).toMatchObject({
        kind: 'not_sent',
        reason: expect.stringMatching(/^connect ECONNREFUSED/),
        server: 'main',
      });
    }
    const chosen = { ...ENVELOPE, server: 'warm' };
    expect(await servers.handOff(chosen, SMALL, noting().fence)).toMatchObject({ kind: 'sent', server: 'warm' });
    expect(warm.connections).toBe(1);
  });

  it('that the fence keeps back', async () => {
    const [main, warm] = [await server(), await server()];
    const outcome = await named({ main: main.url, warm: warm.url }).handOff(ENVELOPE, SMALL, async () => false);
    expect(outcome).toMatchObject({ kind: 'fenced_out', server: 'main' });
    expect(warm.connections).toBe(0);
  });
});

/** As a server whose policy hangs. */
const SILENT_AT_MAIL: Script = { mail: silent, rcpt: silent, data: silent };

describe('a server that takes connections and then says nothing', () => {
  const stages: [string, Script][] = [
    ['no greeting', { greeting: silent }],
    ['nothing to EHLO', { ehlo: silent }],
    ['nothing to MAIL', SILENT_AT_MAIL],
    ['nothing to RCPT', { rcpt: silent, data: silent }],
    ['nothing to RCPT, without pipelining', { ehlo: '250 mx.test', rcpt: silent }],
  ];
  it.each(stages)('(%s) loses its mail to another one soon, and holds up none of it', async (_name, script) => {
    const [main, warm] = [await server(script), await server()];
    const servers = named({ main: main.url, warm: warm.url }, { timeouts: { open: 1_000, asking: 1_000 } });
    // As dispatch has it: more mails in hand than connections, of both servers.
    const places = new Semaphore(8);
    const begun = performance.now();
    const took: number[] = [];
    const send = async (name: string): Promise<string | undefined> => {
      await places.acquire();
      const outcome = await servers.handOff({ ...ENVELOPE, server: name }, SMALL, noting().fence);
      places.release();
      if (name === 'warm') took.push(performance.now() - begun);
      return outcome.kind === 'sent' ? outcome.server : outcome.kind;
    };
    const over = await Promise.all(Array.from({ length: 80 }, (_, n) => send(n % 8 === 7 ? 'warm' : 'main')));
    expect(new Set(over)).toEqual(new Set(['warm']));
    expect(warm.bodies).toHaveLength(80);
    expect(main.connections).toBe(2);
    expect(took).toHaveLength(10);
    // If all waited in vain, seven at a time, ten seconds would pass.
    expect(Math.max(...took)).toBeLessThan(9_000);
  });

  const failing: [string, Script][] = [
    ['a session opens', { greeting: silent }],
    ['it asks for the mail', SILENT_AT_MAIL],
  ];
  it.each(failing)(
    'is tried by one mail after 10 s, and by the next after twice the time, until %s',
    async (_, script) => {
      let now = 0;
      let steps = script;
      const [main, warm] = [await server(() => steps), await server()];
      const how = { realTime: () => now, timeouts: { open: 500, asking: 500 } };
      const servers = named({ main: main.url, warm: warm.url }, how);
      const three = async (at: number): Promise<[number, (string | undefined)[]]> => {
        now = at;
        const outcomes = await Promise.all([1, 2, 3].map(() => servers.handOff(ENVELOPE, SMALL, noting().fence)));
        return [main.connections, outcomes.map((outcome) => outcome.server)];
      };
      const moved = ['warm', 'warm', 'warm'];
      expect(await three(0)).toEqual([2, moved]);
      expect(await three(9_999)).toEqual([2, moved]);
      expect(await three(10_000)).toEqual([3, moved]);
      expect(await three(29_999)).toEqual([3, moved]);
      expect(await three(30_000)).toEqual([4, moved]);
      expect(await three(69_999)).toEqual([4, moved]);
      steps = {};
      expect(await three(70_000)).toEqual([5, ['main', 'warm', 'warm']]);
      expect((await three(70_001))[1]).toEqual(['main', 'main', 'main']);
    },
  );

  it('is not tried by a second mail while the first waits, nor left to all when that ends without an answer', async () => {
    let now = 0;
    let steps: Script = SILENT_AT_MAIL;
    const [main, warm] = [await server(() => steps), await server()];
    const how = { realTime: () => now, timeouts: { asking: 500 } };
    const servers = named({ main: main.url, warm: warm.url }, how);
    const send = async (): Promise<string | undefined> =>
      (await servers.handOff(ENVELOPE, SMALL, noting().fence)).server;
    expect(await send()).toBe('warm');
    now = 10_000;
    const first = send();
    now = 30_000;
    expect([await send(), main.connections]).toEqual(['warm', 2]);
    expect(await first).toBe('warm');
    steps = { mail: drop };
    expect([await send(), await send(), main.connections]).toEqual(['warm', 'warm', 3]);
    steps = { mail: '450 4.7.1 later', rcpt: '503 no', data: '503 no' };
    now = 150_000;
    expect([await send(), await send()]).toEqual(['main', 'main']);
  });

  it('fails its mail at once when no other may take it', async () => {
    const [main, warm] = [await server({ greeting: silent }), await server()];
    const how = { apart: ['warm'], timeouts: { open: 1_100 } };
    const servers = named({ main: main.url, warm: warm.url }, how);
    const reason = 'The session with the sending server was not opened in time.';
    const failed = async (): Promise<object> => servers.handOff(ENVELOPE, SMALL, noting().fence);
    expect(await failed()).toMatchObject({ kind: 'not_sent', reason, unopened: true, server: 'main' });
    expect(await failed()).toMatchObject({ kind: 'not_sent', reason: `Not tried: ${reason}`, server: 'main' });
    expect(main.connections).toBe(1);
  });

  it('on a connection in use keeps the mail that it asked for, and no other', async () => {
    const sockets = { count: 0 };
    const mail: Script['mail'] = (socket) => void (++sockets.count === 1 && socket.write('250 ok\r\n'));
    const [main, warm] = [
      await server((n) => (n === 1 ? { ehlo: '250 mx.test', mail } : { greeting: silent })),
      await server(),
    ];
    const servers = named({ main: main.url, warm: warm.url }, { timeouts: { asking: 400, open: 400 } });
    expect(await servers.handOff(ENVELOPE, SMALL, noting().fence)).toMatchObject({ server: 'main' });
    // Once it is released, the next mail goes over the same connection.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(await servers.handOff(ENVELOPE, SMALL, noting().fence)).toMatchObject({ kind: 'sent', server: 'warm' });
    expect(main.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(2);
    const slow = await server({ dot: (socket) => void setTimeout(() => socket.write('250 late\r\n'), 800) });
    const patient = named({ main: slow.url, warm: warm.url }, { timeouts: { asking: 400, open: 400 } });
    expect(await patient.handOff(ENVELOPE, SMALL, noting().fence)).toMatchObject({ reply: '250 late', server: 'main' });
  });
});
