import { describe, expect, it } from '@jest/globals';
import { counting, ENVELOPE, server, SMALL, transport } from '../support/hand-off';
import { drop, reset, silent, type Script } from '../support/scripted-smtp';
import { until } from '../../contract/helpers';

describe('a reused connection', () => {
  it('carries several mails', async () => {
    const scripted = await server();
    const sender = transport(scripted.url, { maxConnections: 1 });
    for (let i = 0; i < 5; i++) expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.connections).toBe(1);
    expect(scripted.bodies).toHaveLength(5);
  });

  it('is left after so many mails', async () => {
    const scripted = await server();
    const sender = transport(scripted.url, { maxConnections: 1, maxMessages: 2 });
    for (let i = 0; i < 5; i++) await sender.handOff(ENVELOPE, SMALL, counting().fence);
    expect(scripted.connections).toBe(3);
    expect(scripted.commands.filter((line) => line === 'QUIT')).toHaveLength(2);
  });

  const deadOnSecond =
    (step: NonNullable<Script['mail']>) =>
    (connection: number): Script => {
      let mails = 0;
      const mail: Script['mail'] = (socket, line) => {
        if (connection > 1 || ++mails === 1) return void socket.write('250 ok\r\n');
        if (typeof step === 'function') step(socket, line);
        else socket.write(`${step}\r\n`);
      };
      return { ehlo: '250 mx.test', mail };
    };

  it.each<[string, NonNullable<Script['mail']>]>([
    ['answers 421', '421 4.4.2 idle too long'],
    ['is closed', drop],
    ['is reset', reset],
  ])('that %s at MAIL is replaced by a fresh one within the same hand-off', async (_name, step) => {
    const scripted = await server(deadOnSecond(step));
    const sender = transport(scripted.url, { maxConnections: 1 });
    await sender.handOff(ENVELOPE, SMALL, counting().fence);
    const counted = counting();
    expect((await sender.handOff(ENVELOPE, SMALL, counted.fence)).kind).toBe('sent');
    expect(counted.asked).toBe(1);
    expect(scripted.connections).toBe(2);
    expect(scripted.bodies).toHaveLength(2);
  });

  it('that the server closed while it was idle is not used again', async () => {
    const sockets: { destroy(): void }[] = [];
    const scripted = await server({ greeting: (socket) => (sockets.push(socket), socket.write('220 mx\r\n')) });
    const sender = transport(scripted.url, { maxConnections: 1 });
    await sender.handOff(ENVELOPE, SMALL, counting().fence);
    sockets[0]!.destroy();
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.connections).toBe(2);
  });

  it('that is out of step, by a reply too many, brings no mail down', async () => {
    const scripted = await server({ dot: '250 queued\n250 one too many' });
    const sender = transport(scripted.url, { maxConnections: 1 });
    for (let i = 0; i < 4; i++) expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
    expect(scripted.bodies).toHaveLength(4);
  });

  it('that dies once the fence was asked is not replaced', async () => {
    let dots = 0;
    const scripted = await server({ dot: (socket) => (++dots === 1 ? socket.write('250 ok\r\n') : socket.destroy()) });
    const sender = transport(scripted.url, { maxConnections: 1 });
    await sender.handOff(ENVELOPE, SMALL, counting().fence);
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('unknown');
    expect(scripted.connections).toBe(1);
  });

  it('whose fresh replacement is refused too is a refusal', async () => {
    const scripted = await server((connection) =>
      connection === 1 ? deadOnSecond(drop)(1) : { mail: '421 4.3.2 busy' },
    );
    const sender = transport(scripted.url, { maxConnections: 1 });
    await sender.handOff(ENVELOPE, SMALL, counting().fence);
    expect(await sender.handOff(ENVELOPE, SMALL, counting().fence)).toEqual({
      kind: 'refused',
      permanent: false,
      reply: '421 4.3.2 busy',
    });
  });

  it('is closed when it is not used for a while', async () => {
    const scripted = await server();
    const sender = transport(scripted.url, { keepIdle: 20 });
    await sender.handOff(ENVELOPE, SMALL, counting().fence);
    await until(() => scripted.open === 0, 10);
    expect(scripted.commands.at(-1)).toBe('QUIT');
  });
});

describe('several unused connections', () => {
  it('are each closed when their time is over', async () => {
    const scripted = await server();
    const sender = transport(scripted.url, { maxConnections: 3, keepIdle: 1_000 });
    const three = (): Promise<unknown> =>
      Promise.all([1, 2, 3].map(() => sender.handOff(ENVELOPE, SMALL, counting().fence)));
    await three();
    expect(scripted.connections).toBe(3);
    await sender.handOff(ENVELOPE, SMALL, counting().fence);
    await until(() => scripted.open === 0, 5);
    expect(scripted.commands.filter((line) => line === 'QUIT')).toHaveLength(3);
  });
});

describe('parallel hand-offs', () => {
  it('share no more connections than allowed, and all arrive', async () => {
    const dot: Script['dot'] = (socket) => void setTimeout(() => socket.write('250 ok\r\n'), 5);
    const scripted = await server({ dot });
    const sender = transport(scripted.url, { maxConnections: 3 });
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => sender.handOff(ENVELOPE, SMALL, counting().fence)),
    );
    expect(outcomes.every((outcome) => outcome.kind === 'sent')).toBe(true);
    expect(scripted.bodies).toHaveLength(20);
    expect(scripted.mostOpen).toBe(3);
  });

  it('go on after failures of every kind: no place in the pool is lost', async () => {
    const steps: Script[] = [
      { greeting: drop },
      { dot: drop },
      { mail: '421 no' },
      { rcpt: '550 no', data: '554 no', rset: drop },
      { data: drop },
    ];
    const scripted = await server((connection) => steps[connection - 1] ?? {});
    const sender = transport(scripted.url, { maxConnections: 1 });
    for (let i = 0; i < steps.length; i++) {
      expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).not.toBe('sent');
    }
    expect((await sender.handOff(ENVELOPE, SMALL, counting().fence)).kind).toBe('sent');
  });

  it('wait for a connection no longer than the whole may take', async () => {
    // The first ends a moment before the second; a further connection is not greeted, so that moment is never enough.
    const scripted = await server((connection) => (connection === 1 ? { dot: silent } : { greeting: silent }));
    const sender = transport(scripted.url, { maxConnections: 1, timeouts: { whole: 2_000, idle: 4_000 } });
    const first = sender.handOff(ENVELOPE, SMALL, counting().fence);
    const counted = counting();
    const second = await sender.handOff(ENVELOPE, SMALL, counted.fence);
    expect([
      'No connection became free in time.',
      'The session with the sending server was not opened in time.',
    ]).toContain(second.kind === 'not_sent' && second.reason);
    expect(counted.asked).toBe(0);
    expect((await first).kind).toBe('unknown');
  });
});

describe('closing', () => {
  it('lets running hand-offs end, turns waiting and later ones away, and says goodbye', async () => {
    const dot: Script['dot'] = (socket) => void setTimeout(() => socket.write('250 ok\r\n'), 50);
    const scripted = await server({ dot });
    const sender = transport(scripted.url, { maxConnections: 1 });
    const running = sender.handOff(ENVELOPE, SMALL, counting().fence);
    const waiting = sender.handOff(ENVELOPE, SMALL, counting().fence);
    await sender.close();
    expect((await running).kind).toBe('sent');
    const closed = { kind: 'not_sent', reason: 'The transport is closed.', unopened: true };
    expect(await waiting).toEqual(closed);
    expect(await sender.handOff(ENVELOPE, SMALL, counting().fence)).toEqual(closed);
    expect(scripted.commands.at(-1)).toBe('QUIT');
    expect(scripted.bodies).toHaveLength(1);
  });
});
