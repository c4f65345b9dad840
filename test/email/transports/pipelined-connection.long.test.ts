import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { Activity } from '../../../lib/activity';
import type { HandOffOutcome } from '../../../email/transports/transport';
import { counting, ENVELOPE, onceOver, server, transport } from '../support/hand-off';
import { drop, silent, type Script } from '../support/scripted-smtp';
import { SmtpInbox } from '../support/smtp-inbox';
import { until } from '../../contract/helpers';

const named = (name: string): typeof ENVELOPE => ({ ...ENVELOPE, to: `${name}@example.com`, envid: name });
const mailOf = (name: string): Buffer => Buffer.from(`X-Name: ${name}\r\n\r\n.${name}\r\n`);
const later =
  (reply: string, ms = 20): NonNullable<Script['dot']> =>
  (socket) =>
    void setTimeout(() => socket.destroyed || socket.write(`${reply}\r\n`), ms);
/** Steps of each mail in turn, the last one for all that come after. */
const inTurn = (...steps: NonNullable<Script['dot']>[]): NonNullable<Script['dot']> => {
  let turn = 0;
  return (socket, line) => {
    const step = steps[Math.min(turn++, steps.length - 1)]!;
    if (typeof step === 'function') step(socket, line);
    else socket.write(`${step}\r\n`);
  };
};

/** A fence that waits to be opened. */
function gate(): { passed: Promise<boolean>; open(): void } {
  let open = (): void => undefined;
  const passed = new Promise<boolean>((resolve) => (open = () => resolve(true)));
  return { passed, open };
}

describe('a mail that waits while every connection is in use', () => {
  it('is pipelined with the end of the one before, and its fence is asked after its own 354', async () => {
    const pieces: string[] = [];
    const asked: string[] = [];
    const scripted = await server({ dot: later('250 ok') });
    const sender = transport(scripted.url, { maxConnections: 1 });
    const fence = (name: string) => (): Promise<boolean> => {
      asked.push(`${name} after ${scripted.commands.filter((line) => line === 'DATA').length} DATA`);
      return Promise.resolve(true);
    };
    scripted.onChunk = (text) => pieces.push(text);
    const outcomes = await Promise.all(
      ['a', 'b', 'c'].map((name) => sender.handOff(named(name), mailOf(name), fence(name))),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['sent', 'sent', 'sent']);
    expect(pieces.filter((text) => /\r\n\.\r\nMAIL FROM:.*\r\nRCPT TO:.*\r\nDATA\r\n$/.test(text))).toHaveLength(2);
    expect(asked).toEqual(['a after 1 DATA', 'b after 2 DATA', 'c after 3 DATA']);
    expect(scripted.bodies).toEqual(['a', 'b', 'c'].map((name) => `X-Name: ${name}\r\n\r\n..${name}\r\n`));
    expect(scripted.connections).toBe(1);
  });

  it.each<[string, NonNullable<Script['dot']>, string, number]>([
    ['is refused', later('550 5.7.1 no'), 'refused', 1],
    ['is put off', later('451 4.3.0 later'), 'refused', 1],
    ['ends the session', later('421 4.3.2 closing'), 'refused', 2],
    ['gets no answer but an end', drop, 'unknown', 2],
    ['gets what is no reply', later('what?'), 'unknown', 2],
  ])('is handed over once when the one before %s', async (_name, first, kind, connections) => {
    const scripted = await server({ dot: inTurn(first, later('250 ok')) });
    const sender = transport(scripted.url, { maxConnections: 1 });
    const counted = counting();
    const before = sender.handOff(named('a'), mailOf('a'), counting().fence);
    const behind = sender.handOff(named('b'), mailOf('b'), counted.fence);
    expect((await before).kind).toBe(kind);
    expect(await behind).toEqual({ kind: 'sent', reply: '250 ok' });
    expect(counted.asked).toBe(1);
    expect(scripted.bodies.filter((body) => body.includes('X-Name: b'))).toHaveLength(1);
    expect(scripted.connections).toBe(connections);
  });

  it.each([
    ['550 5.1.1 unknown user', true],
    ['450 4.2.1 later', false],
  ])('is refused by itself: %s', async (reply, permanent) => {
    let recipients = 0;
    const rcpt: Script['rcpt'] = (socket) => void socket.write(`${++recipients === 2 ? reply : '250 ok'}\r\n`);
    const scripted = await server({ dot: later('250 ok'), rcpt });
    const sender = transport(scripted.url, { maxConnections: 1 });
    const outcomes = ['a', 'b'].map((name) => sender.handOff(named(name), mailOf(name), counting().fence));
    expect(await outcomes[0]).toMatchObject({ kind: 'sent' });
    expect(await outcomes[1]).toEqual({ kind: 'refused', permanent, reply });
  });

  it('is not taken for refused by an answer too many to the one before', async () => {
    const scripted = await server({ dot: inTurn(later('250 ok\r\n550 one too many'), later('250 ok')) });
    const sender = transport(scripted.url, { maxConnections: 1 });
    const outcomes = ['a', 'b'].map((name) => sender.handOff(named(name), mailOf(name), counting().fence));
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['sent', 'sent']);
    expect(scripted.bodies).toHaveLength(2);
  });

  it.each([
    ['a no for the session', '250 ok\r\n554 5.7.0 this session is over'],
    ['a no and a goodbye', '250 ok\r\n554 5.7.0 no\r\n421 4.3.2 bye'],
  ])('is not refused for %s behind the answer to the one before', async (_name, reply) => {
    const first: NonNullable<Script['dot']> = (socket) =>
      void setTimeout(() => {
        socket.write(`${reply}\r\n`);
        socket.end();
      }, 20);
    const scripted = await server({ dot: inTurn(first, later('250 ok')) });
    const sender = transport(scripted.url, { maxConnections: 1 });
    const outcomes = ['a', 'b'].map((name) => sender.handOff(named(name), mailOf(name), counting().fence));
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['sent', 'sent']);
    expect(scripted.bodies).toHaveLength(2);
    expect(scripted.connections).toBe(2);
  });

  it('is not pipelined to a server that takes long over each mail, so that its connections are kept', async () => {
    const scripted = await server({ dot: later('250 ok', 1_200) });
    const sender = transport(scripted.url, { maxConnections: 2 });
    const names = ['a', 'b', 'c', 'd', 'e', 'f'];
    const outcomes = await Promise.all(
      names.map((name) => sender.handOff(named(name), mailOf(name), counting().fence)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(names.map(() => 'sent'));
    // The first two mails show it; the connections they were pipelined over are lost.
    expect(scripted.connections).toBeLessThanOrEqual(4);
    expect(scripted.bodies).toHaveLength(6);
  });

  it('counts as work while it waits for a server that waits for the clock', async () => {
    const activity = new Activity();
    const scripted = await server((connection) => (connection === 1 ? { dot: silent } : {}));
    const sender = transport(scripted.url, { maxConnections: 1, activity, timeouts: { whole: 1_500, idle: 5_000 } });
    const slow = sender.handOff(named('slow'), mailOf('slow'), counting().fence);
    const behind = sender.handOff(named('behind'), mailOf('behind'), counting().fence);
    await until(() => scripted.bodies.length > 0, 2);
    expect(activity.isQuiet).toBe(false);
    await activity.quiet(new AbortController().signal);
    // It has left by now, and waits in the queue.
    await Promise.all([slow, behind]);
    await sender.close();
    expect(activity.isQuiet).toBe(true);
  });

  it('takes another connection when the one before is not answered for', async () => {
    let answer = (): void => undefined;
    const dot: Script['dot'] = (socket) => (answer = () => socket.write('250 ok\r\n'));
    const scripted = await server((connection) => (connection === 1 ? { dot } : {}));
    const sender = transport(scripted.url, { maxConnections: 2 });
    const gates = [gate(), gate()] as const;
    const ends: string[] = [];
    const send = async (name: string, fence = counting().fence): Promise<HandOffOutcome> => {
      const outcome = await sender.handOff(named(name), mailOf(name), fence);
      ends.push(name);
      return outcome;
    };
    const slow = send('slow', () => gates[0].passed);
    await until(() => scripted.open > 0, 2);
    const held = send('held', () => gates[1].passed);
    const third = send('third');
    gates[0].open();
    let pipelined = false;
    scripted.onChunk = (text) => (pipelined ||= text.includes('ENVID=third'));
    const isPipelined = (): boolean => pipelined;
    await until(isPipelined, 2);
    gates[1].open();
    expect((await third).kind).toBe('sent');
    expect(ends).toEqual(['held', 'third']);
    answer();
    expect((await held).kind).toBe('sent');
    expect((await slow).kind).toBe('sent');
    expect(scripted.bodies.filter((body) => body.includes('third'))).toHaveLength(1);
    await sender.close();
    // The connection on which it was pipelined in vain carries nothing more.
    expect(scripted.commands.filter((line) => line.startsWith('MAIL'))).toHaveLength(4);
  });

  it('goes back to the head of the queue when every connection is taken by mails without an answer', async () => {
    let answer = (): void => undefined;
    const scripted = await server((connection) =>
      connection === 1 ? { dot: (socket) => (answer = () => socket.write('250 ok\r\n')) } : { dot: '250 ok' },
    );
    const sender = transport(scripted.url, { maxConnections: 1 });
    const order: string[] = [];
    const send = (name: string): Promise<unknown> =>
      sender.handOff(named(name), mailOf(name), counting().fence).then(({ kind }) => order.push(`${name} ${kind}`));
    const all = ['a', 'b', 'c'].map(send);
    await until(() => scripted.bodies.length > 0, 2);
    await sleep(1_100);
    answer();
    await Promise.all(all);
    expect(order).toEqual(['a sent', 'b sent', 'c sent']);
    expect(scripted.bodies).toHaveLength(3);
    expect(scripted.connections).toBe(2);
  });

  it('leaves when its time is over, and the one before still hears its answer', async () => {
    const scripted = await server({ dot: inTurn(later('250 ok', 100), silent) });
    const sender = transport(scripted.url, { maxConnections: 1, timeouts: { whole: 2_500, idle: 10_000 } });
    // Its time begins before that of the one it is pipelined behind.
    const first = sender.handOff(named('first'), mailOf('first'), counting().fence);
    const counted = counting();
    const before = sender.handOff(named('a'), mailOf('a'), counting().fence);
    const behind = sender.handOff(named('b'), mailOf('b'), counted.fence);
    expect((await first).kind).toBe('sent');
    const kinds = (await Promise.all([before, behind])).map(({ kind }) => kind);
    expect(kinds).toEqual(['unknown', 'not_sent']);
    expect(counted.asked).toBe(0);
    expect(scripted.bodies.some((body) => body.includes('X-Name: b'))).toBe(false);
  });

  it('ends as one that runs when the transport is closed', async () => {
    const scripted = await server({ dot: later('250 ok', 60) });
    const sender = transport(scripted.url, { maxConnections: 1 });
    const outcomes = ['a', 'b', 'c'].map((name) => sender.handOff(named(name), mailOf(name), counting().fence));
    await until(() => scripted.commands.filter((line) => line.startsWith('MAIL')).length > 0, 1);
    await until(() => scripted.bodies.length > 0, 1);
    await sender.close();
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['sent', 'sent', 'not_sent']);
    expect(scripted.commands.at(-1)).toBe('QUIT');
  });
});

describe('a mail is not pipelined behind another one', () => {
  it.each<[string, Script, string]>([
    ['to a server without PIPELINING', { ehlo: '250-mx.test\n250 DSN' }, ''],
    ['with pipelining=false', {}, '?pipelining=false'],
  ])('%s', async (_name, script, parameter) => {
    const pieces: string[] = [];
    const scripted = await server({ ...script, dot: later('250 ok') });
    scripted.onChunk = (text) => pieces.push(text);
    const sender = transport(`${scripted.url}${parameter}`, { maxConnections: 1 });
    await Promise.all(['a', 'b'].map((name) => sender.handOff(named(name), mailOf(name), counting().fence)));
    expect(scripted.bodies).toHaveLength(2);
    expect(pieces.filter((text) => text.includes('\r\n.\r\nMAIL') || /MAIL[^]*RCPT/.test(text))).toEqual([]);
  });

  it('when the server can never take it, or the connection has carried its share', async () => {
    const scripted = await server({ dot: later('250 ok') });
    const sender = transport(scripted.url, { maxConnections: 1, maxMessages: 2 });
    const outcomes = await Promise.all(
      ['a', 'büdi', 'c', 'd', 'e'].map((name) => sender.handOff(named(name), mailOf('x'), counting().fence)),
    );
    expect(outcomes.map(({ kind }) => kind)).toEqual(['sent', 'refused', 'sent', 'sent', 'sent']);
    expect(scripted.commands.filter((line) => line === 'QUIT').length).toBeGreaterThanOrEqual(2);
    expect(scripted.commands.some((line) => /[^ -~]/.test(line))).toBe(false);
  });
});

describe('many mails over few connections', () => {
  it('all arrive once at a server that others wrote', async () => {
    const inbox = await SmtpInbox.start({ authOptional: true, hidePIPELINING: false });
    onceOver(() => inbox.stop());
    const sender = transport(`smtp://127.0.0.1:${inbox.port}`, { maxConnections: 2 });
    const names = Array.from({ length: 60 }, (_, n) => `mail-${n}`);
    const outcomes = await Promise.all(
      names.map((name) => sender.handOff(named(name), mailOf(name), counting().fence)),
    );
    expect(outcomes.every(({ kind }) => kind === 'sent')).toBe(true);
    expect(inbox.mails.map((mail) => /X-Name: (.*)\r\n/.exec(mail.toString())?.[1]).sort()).toEqual(names.sort());
  });

  const STEPS = ['ok', 'ok', 'ok', '550', '451', '421', 'drop', 'silent', 'garbage', 'twice'] as const;
  const dotOf = (step: (typeof STEPS)[number]): NonNullable<Script['dot']> => {
    const replies: Partial<Record<string, string>> = { ok: '250 ok', garbage: 'what', twice: '250 ok\r\n250 again' };
    if (step === 'drop') return drop;
    if (step === 'silent') return silent;
    return later(replies[step] ?? `${step} no`, 1);
  };

  it('end as the server took them, whatever it does: sent is there once, what definitely failed is not there', async () => {
    const run = async (steps: readonly (typeof STEPS)[number][], places: number): Promise<void> => {
      let turn = 0;
      const answered = new Map<string, string>();
      const scripted = await server({
        dot: (socket, line) => {
          const name = /X-Name: (.*)/.exec(scripted.bodies.at(-1)!)![1]!.trim();
          const step = steps[turn++ % steps.length]!;
          answered.set(name, `${answered.get(name) ?? ''}${step} `);
          const play = dotOf(step);
          if (typeof play === 'function') play(socket, line);
        },
      });
      const sender = transport(scripted.url, { maxConnections: places, timeouts: { whole: 1_500, idle: 150 } });
      const names = Array.from({ length: 12 }, (_, n) => `m${n}`);
      const asked = new Map(names.map((name) => [name, counting()]));
      const delays = monitorEventLoopDelay({ resolution: 5 });
      delays.enable();
      const outcomes = await Promise.all(
        names.map((name) => sender.handOff(named(name), mailOf(name), asked.get(name)!.fence)),
      );
      delays.disable();
      // Where this process had to wait for its turn, an answer may have come too late.
      const isBusy = delays.max > 40_000_000;
      for (const [n, name] of names.entries()) {
        const { kind } = outcomes[n]!;
        const taken = (answered.get(name) ?? '').trim();
        expect(asked.get(name)!.asked).toBeLessThanOrEqual(1);
        expect(taken).not.toContain(' ');
        if (kind === 'sent') expect(taken).toMatch(/^(ok|twice)$/);
        if (kind === 'refused') expect(taken).toMatch(/^(550|451|421)$/);
        if (kind === 'not_sent') expect(taken).toBe('');
        if (kind === 'unknown' && !isBusy) expect(taken).toMatch(/^(drop|silent|garbage)$/);
      }
      await sender.close();
      await scripted.stop();
    };
    const sample = fc.array(fc.constantFrom(...STEPS), { minLength: 3, maxLength: 12 });
    await fc.assert(fc.asyncProperty(sample, fc.integer({ min: 1, max: 3 }), run), { numRuns: 25 });
  });
});
