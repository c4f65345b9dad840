import { withTimeout } from '../../lib/with-timeout';
import { processUsage } from '../process-usage';
import { type Section, fixed, whole } from '../report';
import type { SinkCount } from '../smtp-sink';
import type { Effort, Stage } from '../stage';
import { median } from '../time';
import { refuseFaults } from './accept';

/** Mails per workspace and round: below the 1,200 a minute of a premium one. */
export const PER_WORKSPACE = 1_000;
/**
 * Mails before the first round, on both sides. A service runs for weeks, and the first thousands of mails are slowed
 * by the compiler. After 10,000 mails, ours still takes a tenth more processor time per mail than after 25,000.
 */
const warmUpOf = (mails: number): number => 5 * mails;
/** A round that takes longer has lost its mails, ms. */
const LIMIT = 120_000;

export interface Round {
  /** Mails per second, from the first request or call until the sending server has the last mail. */
  rate: number;
  /** Processor time per mail, ms; null where it cannot be read. */
  cpu: number | null;
}

/** Workspaces that this part uses. */
export const endToEndSenders = (rounds: number, mails: number): number =>
  Math.ceil(warmUpOf(mails) / PER_WORKSPACE) + rounds * Math.ceil(mails / PER_WORKSPACE);

/** Signed mails per second, from the first POST to the last mail received, compared with a signing nodemailer loop. */
export async function endToEndRate(stage: Stage): Promise<Section> {
  const { effort, service } = stage;
  const ours: Round[] = [];
  const loop: Round[] = [];
  const warmUp = warmUpOf(effort.mails);
  await ourRound(stage, warmUp);
  await loopRound(stage, warmUp);
  for (let round = 0; round < effort.rounds; round++) {
    ours.push(await ourRound(stage, effort.mails));
    loop.push(await loopRound(stage, effort.mails));
  }
  const row = (name: string, rounds: Round[], ratio: string, memory: string): string[] => [
    name,
    whole(median(rounds.map(({ rate }) => rate))),
    ratio,
    rounds.every(({ cpu }) => cpu !== null) ? fixed(median(rounds.map(({ cpu }) => cpu ?? NaN)), 2) : 'n/a',
    memory,
  ];
  const peak = (pid: number): string => {
    const usage = processUsage(pid);
    return usage ? whole(usage.peakMemory) : 'n/a';
  };
  const ratio = median(ours.map(({ rate }, round) => rate / (loop[round]?.rate ?? NaN)));
  return {
    title: 'End to end with DKIM',
    about:
      `${whole(effort.mails)} mails a round, html and text, RSA-2048 signed: from the first request until the sending server ` +
      `has the last one, over ${effort.mtaConnections} SMTP connections. Ours come through the API of several premium ` +
      'workspaces, with coins, tracking, footer and history; the baseline is a nodemailer pool called in a loop.',
    head: ['sender', 'mails/s', 'ratio', 'CPU ms/mail', 'peak memory MB'],
    rows: [
      row('Kurir', ours, fixed(ratio, 2), peak(service.pid)),
      row('nodemailer loop', loop, '1.00', peak(stage.loop.pid)),
    ],
  };
}

/** One round through the API of a service. */
export async function ourRound(
  {
    effort,
    service,
    load,
    sink,
    takeSenders,
  }: Pick<Stage, 'service' | 'load' | 'sink' | 'takeSenders'> & { effort: Pick<Effort, 'connections'> },
  mails: number,
): Promise<Round> {
  await sink.call('reset', undefined);
  const before = processUsage(service.pid);
  const arrived = sink.call('waitFor', mails);
  const senders = takeSenders(Math.ceil(mails / PER_WORKSPACE));
  const { port } = service;
  const result = await load.call('load', {
    port,
    senders,
    connections: effort.connections,
    until: { requests: mails },
  });
  refuseFaults([result]);
  const rate =
    (mails * 1_000) / ((await withTimeout(arrived, LIMIT, { what: 'sending every mail' })) - result.startedAt);
  const after = processUsage(service.pid);
  checkSink(await sink.call('count', undefined));
  return { rate, cpu: before && after ? ((after.cpuSeconds - before.cpuSeconds) * 1_000) / mails : null };
}

async function loopRound({ effort, loop, sink, sinkPort, privateKey }: Stage, mails: number): Promise<Round> {
  await sink.call('reset', undefined);
  const before = processUsage(loop.pid);
  const arrived = sink.call('waitFor', mails);
  const connections = effort.mtaConnections;
  const startedAt = await loop.call('send', { port: sinkPort, mails, connections, privateKey });
  const rate = (mails * 1_000) / ((await withTimeout(arrived, LIMIT, { what: 'sending every mail' })) - startedAt);
  const after = processUsage(loop.pid);
  checkSink(await sink.call('count', undefined));
  return { rate, cpu: before && after ? ((after.cpuSeconds - before.cpuSeconds) * 1_000) / mails : null };
}

/** A rate counts only when every mail was signed and none came twice. */
export function checkSink({ duplicates, unsigned }: SinkCount): void {
  if (duplicates > 0) throw new Error(`${duplicates} mails reached the sending server twice.`);
  if (unsigned > 0) throw new Error(`${unsigned} mails were not signed.`);
}
