import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { appendFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';

import { HOUR } from '../../lib/clock';
import { frozenClock } from '../support/clock';
import { keepingLogger } from '../support/log-lines';
import { Running, temporaryDir, temporaryInstallation } from '../support/running';
import { giveUpAt } from '../support/limits';

/** What the server says to MAIL; null: it takes the mail. */
let refusal: { code: number; text: string } | null = null;
const server = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onMailFrom: (_address, _session, done) =>
    done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
  onData: (stream, _session, done) => stream.resume().on('end', () => done()),
});
let mtaUrl = '';
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  mtaUrl = `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
});
afterAll(() => new Promise<void>((resolve) => server.close(resolve)));

let running: Running;
afterEach(() => running.stop());
async function start(env: Record<string, string>): Promise<ReturnType<typeof keepingLogger>> {
  const logger = keepingLogger();
  const given = { KURIR_MTA_URL: mtaUrl, KURIR_DEMO: 'true', ...env };
  running = await Running.startOn(temporaryInstallation(), given, frozenClock(), {
    logger: { ...logger, fatal: () => undefined },
  });
  return logger;
}
const ready = async (): Promise<{
  ready: boolean;
  degraded: boolean;
  degraded_by: { name: string; reason: string }[];
}> => (await fetch(running.kurir.baseUrl.replace(/v1$/, 'readyz'))).json() as never;
/** `/readyz` once it is as it should be. */
async function untilDegraded(degraded: boolean): Promise<Awaited<ReturnType<typeof ready>>> {
  for (const end = giveUpAt(); ;) {
    const answer = await ready();
    if (answer.degraded === degraded) return answer;
    if (performance.now() > end) throw new Error(`waited for degraded: ${degraded}; it is ${JSON.stringify(answer)}`);
    await pause(200);
  }
}

describe('a sending server that takes no mail', () => {
  it('makes /readyz degraded, with its words, until it takes a mail again', async () => {
    const logger = await start({});
    refusal = { code: 451, text: '4.3.0 the queue is full' };
    const id = await running.send('budi@good.test');
    await running.until(id, 'a refusal', ({ failedReason }) => failedReason !== null);
    const degraded = await untilDegraded(true);
    expect(degraded).toMatchObject({ ready: true, degraded_by: [{ name: 'sending server' }] });
    expect(degraded.degraded_by[0]!.reason).toMatch(/1 tried: 451 4\.3\.0 the queue is full$/);
    expect(logger.at('warn')).toContain('the sending server did not accept a message; it is tried again');

    refusal = null;
    running.clock.advance(HOUR);
    await running.untilStatus(id, 'sent_to_mta');
    await untilDegraded(false);
  });
});

describe('a start with a sending server', () => {
  const WARNING = 'Links, tracking pixel and unsubscribe page of every email point to';

  it('warns without a KURIR_PUBLIC_URL that recipients reach, and is silent with one', async () => {
    for (const [env, warned] of [
      [{}, true],
      [{ KURIR_PUBLIC_URL: 'http://localhost:8080' }, true],
      [{ KURIR_PUBLIC_URL: 'https://mail.toko.example' }, false],
    ] as const) {
      const logger = await start(env);
      expect([env, logger.at('warn').some((text) => text.startsWith(WARNING))]).toEqual([env, warned]);
      if (warned) await running.stop();
    }
  });
});

describe('a KURIR_POSTFIX_LOG that cannot be read', () => {
  it('is warned of, and makes /readyz degraded until it can', async () => {
    const path = join(temporaryDir(), 'mail.log');
    const logger = await start({ KURIR_POSTFIX_LOG: path });
    const degraded = await untilDegraded(true);
    expect(degraded.degraded_by).toEqual([{ name: 'log of the sending server', reason: 'the file does not exist' }]);
    expect(logger.at('warn').filter((text) => text.includes('KURIR_POSTFIX_LOG'))).toHaveLength(1);

    writeFileSync(path, '');
    appendFileSync(path, '2026-01-05T03:00:00.000000+00:00 mta postfix/master[1]: daemon started\n');
    await untilDegraded(false);
  });
});
