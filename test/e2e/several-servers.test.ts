import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { SmtpSink } from '../../proof/bench/smtp-sink';
import { Running } from '../support/running';

const sinks = { warm: new SmtpSink(), bulk: new SmtpSink() };
/** Takes connections and says nothing. */
const mute = createServer();
let running: Running;
beforeAll(async () => {
  await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
  const { port: main } = mute.address() as AddressInfo;
  const [warm, bulk] = [await sinks.warm.listen(), await sinks.bulk.listen()];
  const urls = { main, warm, bulk };
  running = await Running.start({
    KURIR_MTA_URL: Object.entries(urls)
      .map(([name, port]) => `${name}=smtp://127.0.0.1:${port}`)
      .join(' '),
    KURIR_MTA_ROUTES: 'workspace:1=bulk fallback=warm',
    KURIR_DEMO: 'true',
  });
});
afterAll(async () => {
  await running.stop();
  for (const sink of Object.values(sinks)) sink.close();
  mute.close();
});

describe('a service with several sending servers', () => {
  it('hands mail to the one that the rules name, and to another when it goes', async () => {
    const replyOf = async (to: string): Promise<string | null | undefined> => {
      const id = await running.send(to);
      await running.untilStatus(id, 'sent_to_mta');
      return (await running.stores.messages.attempts(id))[0]?.reply;
    };
    expect(await replyOf('ana@satu.test')).toMatch(/ \[over bulk\]$/);
    sinks.bulk.refuse = () => '421 4.3.2 shutting down';
    expect(await replyOf('budi@satu.test')).toMatch(/ \[over warm\]$/);
    expect(await replyOf('candra@satu.test')).toMatch(/ \[over warm\]$/);
  });
});
