import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { Postfix } from '../../proof/crash/postfix/postfix';
import { LogEvidence } from '../../domain/postfix/log-evidence';
import { readLogLine } from '../../domain/postfix/read-log-line';
import { MINUTE, SECOND } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import { describeWithPostfix } from '../support/describe-with-postfix';
import { RawSession } from './raw-session';
import { giveUpAt, limitFor } from '../support/limits';

const LIMIT = limitFor(2);
const WAIT = 5 * MINUTE;

describeWithPostfix('a mail that was open when Postfix and its client were killed together', () => {
  let postfix: Postfix;
  const sessions: RawSession[] = [];
  beforeEach(async () => {
    postfix = await Postfix.start({
      routes: { 'good.test': 'smtp:[127.0.0.1]:1' },
      settings: { message_size_limit: '100000000' },
    });
  }, LIMIT);
  afterEach(() => {
    for (const session of sessions.splice(0)) session.close();
    postfix.stop();
  }, LIMIT);

  const logged = async (text: string | RegExp): Promise<void> => {
    const end = giveUpAt();
    while (!new RegExp(text).test(postfix.logged)) {
      if (performance.now() > end) throw new Error(`${text} is not in the log:\n${postfix.logged}`);
      await sleep(50);
    }
  };

  /** Opens a mail as Kurir does, up to the 354. */
  const begin = async (id: string): Promise<{ session: RawSession; fencedAt: number }> => {
    const session = await RawSession.open(postfix.port);
    sessions.push(session);
    const said = await session.say(
      'EHLO kurir.test',
      `MAIL FROM:<b-${id}@bounce.contoh.test>`,
      'RCPT TO:<budi@good.test>',
      'DATA',
    );
    expect(said).toMatch(/^354/);
    return { session, fencedAt: Date.now() };
  };
  const head = (id: string): string => `Message-ID: <${id}@contoh.test>\r\nSubject: halo\r\n\r\n`;

  const sendWhole = async (): Promise<void> => {
    const id = randomUUID();
    const { session } = await begin(id);
    expect(await session.send(`${head(id)}halo\r\n.\r\n`)).toMatch(/^250/);
    await logged(`from=<b-${id}`);
  };

  /** What the log shows, as a process that reads it from its beginning sees it. */
  const evidence = (since: number): LogEvidence => {
    const found = new LogEvidence((sender) => /^b-([0-9a-f-]{36})@/.exec(sender)?.[1] ?? null, {
      older: since,
      newer: since,
    });
    for (const line of postfix.logged.split('\n')) {
      const read = readLogLine(line, Date.now());
      if (read) found.read(read, Date.now());
    }
    return found;
  };

  const killAndStart = async (): Promise<number> => {
    const before = postfix.logged.split('daemon started').length;
    postfix.kill();
    for (const session of sessions) session.close();
    const at = Date.now();
    postfix.run();
    await logged(new RegExp(`(?:daemon started[^]*){${before}}`));
    return at;
  };

  it.each([
    ['before its name was read', ''],
    ['with its name read and most of it to come', 'x'.repeat(70).concat('\r\n').repeat(6_000)],
  ])(
    '%s was not taken, five minutes after the start of the new one',
    async (_when, body) => {
      const since = Date.now() - MINUTE;
      await sendWhole();
      const id = randomUUID();
      const { session, fencedAt } = await begin(id);
      if (body !== '') {
        void session.send(`${head(id)}${body}`);
        await logged(`message-id=<${id}`);
      }
      const startedAt = await killAndStart();
      expect(evidence(since).judge(id, fencedAt, startedAt + WAIT - 10 * SECOND)).toBe('unclear');
      await sendWhole();
      expect(postfix.logged).not.toContain(`from=<b-${id}`);
      expect(evidence(since).judge(id, fencedAt, Date.now() + WAIT)).toBe('not_taken');
    },
    LIMIT,
  );

  it(
    'whole, with its 250 on the way, was taken as soon as the new one has read its queue',
    async () => {
      const since = Date.now() - MINUTE;
      await sendWhole();
      const id = randomUUID();
      const { session, fencedAt } = await begin(id);
      expect(await session.send(`${head(id)}halo\r\n.\r\n`)).toMatch(/^250/);
      await killAndStart();
      await logged(`from=<b-${id}`);
      expect(evidence(since).judge(id, fencedAt, Date.now())).toBe('taken');
    },
    LIMIT,
  );
});
