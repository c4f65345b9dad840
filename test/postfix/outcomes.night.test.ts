import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { composeReport } from '../../proof/crash/sink/report';
import { Submitter } from '../../proof/crash/sink/submitter';
import { texts } from '../../domain/texts';
import { DAY } from '../../lib/clock';
import { describeWithPostfix } from '../support/describe-with-postfix';
import { RawSession } from './raw-session';
import { Scene } from './scene';
import { limitFor } from '../support/limits';

const LIMIT = limitFor(2);

describeWithPostfix('before a real Postfix', () => {
  let scene: Scene;
  beforeAll(async () => {
    // The log is rotated, and stays readable.
    scene = await Scene.open({ maillog_file_compressor: '/bin/true' });
  }, LIMIT);
  afterAll(() => scene.close(), LIMIT);

  it(
    'a mail that the recipient takes is delivered',
    async () => {
      const id = await scene.kurir.send('budi@good.test');
      await scene.kurir.untilStatus(id, 'delivered');
      expect(scene.receiver.taken.filter((one) => one === id)).toHaveLength(1);
      expect(await scene.kurir.coinsOf(id, -1)).toHaveLength(1);
    },
    LIMIT,
  );

  it.each([
    ['550 for a user that does not exist', 'unknown', 'address_unknown', -5],
    ['552, over quota', 'full', 'mailbox_full', -1],
    ['554, blocked by a list', 'blocked', 'sender_blocked', -1],
  ])(
    '%s is a bounce with its class and cost',
    async (_what, who, refusedClass, coins) => {
      const id = await scene.kurir.send(`${who}@good.test`);
      const message = await scene.kurir.untilStatus(id, 'bounced');
      expect(message).toMatchObject({ refusedClass, hardBouncedAt: coins === -5 ? expect.any(Number) : null });
      await scene.kurir.coinsOf(id, coins);
    },
    LIMIT,
  );

  it(
    'of two recipients one bounces and one is delivered',
    async () => {
      const ids = await Promise.all([scene.kurir.send('ani@good.test'), scene.kurir.send('unknown+2@good.test')]);
      await scene.kurir.untilStatus(ids[0], 'delivered');
      await scene.kurir.untilStatus(ids[1], 'bounced');
    },
    LIMIT,
  );

  it(
    'a bounce after delivered counts',
    async () => {
      const id = await scene.kurir.send('cici@good.test');
      await scene.kurir.untilStatus(id, 'delivered');
      const envelope = scene.receiver.envelopeOf(id)!;
      const reporter = new Submitter(scene.postfix.port);
      expect(await reporter.submit(envelope.from, composeReport('failed', { ...envelope, envid: id }))).toMatch(/^250/);
      reporter.close();
      expect(await scene.kurir.untilStatus(id, 'bounced')).toMatchObject({ refusedClass: 'address_unknown' });
      await scene.kurir.coinsOf(id, -5);
    },
    LIMIT,
  );

  it(
    '451 and then success: put off within seconds by the log, then delivered',
    async () => {
      const id = await scene.kurir.send('later@good.test');
      const said = `${texts.delayed}: 4.7.1 451 4.7.1 Try again later`;
      await scene.kurir.until(id, 'the deferral', ({ failedReason }) => failedReason === said);
      expect(await scene.kurir.untilStatus(id, 'delivered')).toMatchObject({ failedReason: null });
      await scene.kurir.coinsOf(id, -1);
    },
    LIMIT,
  );

  it(
    'the log is followed through a rotation',
    async () => {
      scene.postfix.rotate();
      const id = await scene.kurir.send('later+2@good.test');
      await scene.kurir.until(
        id,
        'the deferral',
        ({ failedReason }) => failedReason?.startsWith(texts.delayed) === true,
      );
      await scene.kurir.untilStatus(id, 'delivered');
    },
    LIMIT,
  );

  it(
    'a destination with a transport of its own gets a mail a second',
    async () => {
      const ids = await Promise.all([1, 2, 3, 4].map((n) => scene.kurir.send(`d${n}@large.test`)));
      for (const id of ids) await scene.kurir.untilStatus(id, 'delivered');
      const at = ids.map((id) => scene.receiver.takenAt[scene.receiver.taken.indexOf(id)]!).sort((a, b) => a - b);
      // Three seconds, less what a busy machine takes to see the first.
      expect(at[3]! - at[0]!).toBeGreaterThan(1_500);
    },
    LIMIT,
  );

  it(
    'a bare newline is refused, so that it smuggles nothing',
    async () => {
      const before = scene.receiver.taken.length;
      const session = await RawSession.open(scene.postfix.port);
      await session.say('EHLO x', 'MAIL FROM:<a@demo.kurir.test>', 'RCPT TO:<eve@good.test>', 'DATA');
      const smuggled =
        'MAIL FROM:<a@demo.kurir.test>\r\nRCPT TO:<eve@good.test>\r\nDATA\r\nSubject: 2\r\n\r\nboo\r\n.\r\n';
      expect(await session.send(`Subject: 1\r\n\r\nhi\n.\r\n${smuggled}`)).toMatch(/^5\d\d .*bare/i);
      session.close();
      expect(scene.receiver.taken).toHaveLength(before);
    },
    LIMIT,
  );
});

describeWithPostfix('before a real Postfix that gives up soon', () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await Scene.open({ maximal_queue_lifetime: '3s', bounce_queue_lifetime: '3s', delay_warning_time: '1s' });
  }, LIMIT);
  afterAll(() => scene.close(), LIMIT);

  describe.each([
    ['451 until the lifetime ends', 'never@good.test', '4.3.0 451 4.3.0 Not today'],
    [
      '450 in words of a hard bounce until the lifetime ends',
      'unavailable@good.test',
      '4.2.0 450 4.2.0 Requested mail action not taken: mailbox unavailable',
    ],
    ['450 for an unknown user until the lifetime ends', 'nobody@good.test', '4.1.1 450 4.1.1 User unknown'],
    ['a server that is down', 'budi@down.test', '4.4.1 connect to 127.0.0.1'],
  ])('%s', (_what, to, words) => {
    // spec: docs/contract.md#classes-of-bounces: class 4 is never hard, whatever the words
    it(
      'puts the message off, then fails it with its coin back',
      async () => {
        const id = await scene.kurir.send(to);
        const isPutOff = (reason: string | null): boolean => reason?.startsWith(`${texts.delayed}: ${words}`) === true;
        await scene.kurir.until(id, 'the deferral', ({ failedReason }) => isPutOff(failedReason));
        const message = await scene.kurir.untilStatus(id, 'failed');
        expect(message).toMatchObject({ reopenable: 'expired', hardBouncedAt: null });
        expect(message.failedReason).toContain(texts.retriesExhausted);
        await scene.kurir.coinsOf(id, 0);
        const { stores, api } = scene.kurir;
        expect((await api.get(`/suppressions?email=${encodeURIComponent(to)}`)).body).toMatchObject({ can_send: true });
        expect((await stores.contacts.get(message.workspaceId, message.contactId))?.status).toBe('subscribed');
        expect(scene.kurir.clock.now() - message.createdAt).toBeLessThan(DAY);
      },
      LIMIT,
    );
  });
});
