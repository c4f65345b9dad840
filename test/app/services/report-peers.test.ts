import { afterEach, describe, expect, it } from '@jest/globals';
import pino from 'pino';
import { ReportPeers } from '../../../app/services/report-peers';

const opened: ReportPeers[] = [];
afterEach(() => opened.splice(0).forEach((peers) => peers.stop()));

async function peersOf(...hosts: string[]): Promise<ReportPeers> {
  const peers = new ReportPeers(hosts, pino({ level: 'silent' }));
  opened.push(peers);
  await peers.start();
  return peers;
}

describe('whose delivery reports count', () => {
  // spec: docs/contract.md#reports-that-count: whose reports count
  it('are loopback, in every spelling, and nobody else without configuration', async () => {
    const peers = await peersOf();
    for (const address of ['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])
      expect(await peers.judge(address)).toBe(true);
    for (const address of ['10.0.0.1', '192.0.2.1', '2001:db8::1', '::ffff:10.0.0.1', '', 'localhost']) {
      expect(await peers.judge(address)).toBe(false);
    }
  });

  it('are the configured addresses, and names by what they resolve to', async () => {
    const peers = await peersOf('10.0.0.7', '2001:db8::7', 'localhost');
    for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '2001:db8::7']) expect(await peers.judge(address)).toBe(true);
    expect(await peers.judge('10.0.0.8')).toBe(false);
  });

  it('cannot be told while a configured name cannot be looked up: better the report comes again', async () => {
    const peers = await peersOf('no-such-host.invalid');
    await expect(peers.judge('192.0.2.1')).rejects.toThrow('no-such-host.invalid');
    expect(await peers.judge('127.0.0.1')).toBe(true);
  });
});
