import { withTimeout } from '../../lib/with-timeout';
import type { Helper } from './helper';
import { processUsage } from '../crash/process-usage';
import type { SinkCount } from './smtp-sink';

export interface Round {
  /** Mails per second, from the first request or call until the sending server has the last mail. */
  rate: number;
  /** Processor time per mail, ms; null where it cannot be read. */
  cpu: number | null;
  /** Size of a mail at the sending server, bytes. */
  bytes: number;
}

export interface RoundOptions {
  sink: Helper<'sink'>;
  /** The process that sends. */
  pid: number;
  mails: number;
  /** Sends them all; resolves with the monotonic time of the first request or call. */
  send: () => Promise<number>;
  /** A round that takes longer has lost its mails, ms. */
  limit: number;
  unsigned?: boolean;
}

/** One round of mails. Throws when some are lost, come twice, or are not signed and should be. */
export async function timedRound({ sink, pid, mails, send, limit, unsigned = false }: RoundOptions): Promise<Round> {
  await sink.call('reset', undefined);
  const before = processUsage(pid);
  const arrived = sink.call('waitFor', mails);
  const startedAt = await send();
  const rate = (mails * 1_000) / ((await withTimeout(arrived, limit, { what: 'sending every mail' })) - startedAt);
  const after = processUsage(pid);
  const count = await sink.call('count', undefined);
  checkSink(unsigned ? { ...count, unsigned: 0 } : count);
  const cpu = before && after ? ((after.cpuSeconds - before.cpuSeconds) * 1_000) / mails : null;
  return { rate, cpu, bytes: count.bytes / count.mails };
}

/** A rate counts only when every mail was signed and none came twice. */
export function checkSink({ duplicates, unsigned }: Pick<SinkCount, 'duplicates' | 'unsigned'>): void {
  if (duplicates > 0) throw new Error(`${duplicates} mails reached the sending server twice.`);
  if (unsigned > 0) throw new Error(`${unsigned} mails were not signed.`);
}
