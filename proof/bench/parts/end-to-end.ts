import { loadavg } from 'node:os';
import { processUsage } from '../../crash/process-usage';
import { type Section, fixed, whole } from '../report';
import type { LoopOptions } from '../nodemailer-loop';
import type { SampleName } from '../sample-mail';
import type { Effort, Stage } from '../stage';
import { median } from '../time';
import { timedRound, type Round } from '../timed-round';
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
const SIZES = ['small', 'large'] as const satisfies readonly SampleName[];

/** Workspaces that this part uses. */
export const endToEndSenders = (rounds: number, mails: number): number =>
  Math.ceil(warmUpOf(mails) / PER_WORKSPACE) + SIZES.length * rounds * Math.ceil(mails / PER_WORKSPACE);

interface Rounds {
  ours: Round[];
  careful: Round[];
  /** With the small mail only. */
  plain: Round[];
}

/**
 * Signed mails per second, from the first POST to the last mail received, beside a nodemailer loop as a good engineer
 * writes it, and one as in the manual.
 */
export async function endToEndRate(stage: Stage): Promise<Section> {
  const { effort } = stage;
  const load = fixed(loadavg()[0] ?? NaN, 1);
  const warmUp = warmUpOf(effort.mails);
  await ourRound(stage, warmUp);
  await loopRound(stage, warmUp, { sample: 'small', how: 'careful' });
  const rows: string[][] = [];
  for (const sample of SIZES) rows.push(...rowsOf(stage, sample, await roundsOf(stage, sample)));
  return {
    title: 'End to end with DKIM',
    about:
      `${whole(effort.mails)} mails a round, html and text, RSA-2048 signed: from the first request until the sending server ` +
      `has the last one, over ${effort.mtaConnections} SMTP connections; the median of ${effort.rounds} rounds in turn, load at the start ${load}. ` +
      'Ours come through the API of several premium workspaces, with coins, tracking, footer and history. The careful loop is the one a ' +
      'good engineer would write: a nodemailer pool with the key as a KeyObject and 40 mails in hand, and mails like ours, with tracked ' +
      'links, pixel, footer and a link to unsubscribe of their own; it stores nothing. The plain loop is the one of the manual: the key as ' +
      'PEM, which is read for each mail, all mails at once, without tracking and footer. Ratios are those of Kurir to each.',
    head: ['html', 'sender', 'mails/s', 'Kurir to it', 'CPU ms/mail', 'bytes a mail', 'peak memory MB'],
    rows,
  };
}

async function roundsOf(stage: Stage, sample: SampleName): Promise<Rounds> {
  const { rounds: count, mails } = stage.effort;
  const rounds: Rounds = { ours: [], careful: [], plain: [] };
  for (let round = 0; round < count; round++) {
    rounds.ours.push(await ourRound(stage, mails, sample));
    rounds.careful.push(await loopRound(stage, mails, { sample, how: 'careful' }));
    if (sample === 'small') rounds.plain.push(await loopRound(stage, mails, { sample, how: 'plain' }));
  }
  return rounds;
}

function rowsOf({ service, loop }: Stage, sample: SampleName, { ours, careful, plain }: Rounds): string[][] {
  const size = sample === 'small' ? '2 kB, 3 links' : '4 kB, 8 links';
  const row = (name: string, rounds: Round[], pid: number): string[] => {
    const usage = processUsage(pid);
    return [
      ...[size, name, whole(median(rounds.map(({ rate }) => rate)))],
      fixed(median(ours.map(({ rate }, round) => rate / (rounds[round]?.rate ?? NaN))), 2),
      rounds.every(({ cpu }) => cpu !== null) ? fixed(median(rounds.map(({ cpu }) => cpu ?? NaN)), 2) : 'n/a',
      whole(median(rounds.map(({ bytes }) => bytes))),
      usage ? whole(usage.peakMemory) : 'n/a',
    ];
  };
  return [
    row('Kurir', ours, service.pid),
    row('careful nodemailer loop', careful, loop.pid),
    ...(plain.length > 0 ? [row('plain nodemailer loop, PEM', plain, loop.pid)] : []),
  ];
}

type Ours = Pick<Stage, 'service' | 'load' | 'sink' | 'takeSenders'> & { effort: Pick<Effort, 'connections'> };

/** One round through the API of a service. */
export function ourRound(
  { effort, service, load, sink, takeSenders }: Ours,
  mails: number,
  sample: SampleName = 'small',
): Promise<Round> {
  const { port, pid } = service;
  const send = async (): Promise<number> => {
    const senders = takeSenders(Math.ceil(mails / PER_WORKSPACE));
    const until = { requests: mails };
    const result = await load.call('load', { port, senders, connections: effort.connections, until, sample });
    refuseFaults([result]);
    return result.startedAt;
  };
  return timedRound({ sink, pid, mails, send, limit: LIMIT });
}

function loopRound(
  { effort, loop, sink, sinkPort: port, privateKey }: Stage,
  mails: number,
  how: Pick<LoopOptions, 'sample' | 'how'>,
): Promise<Round> {
  const send = (): Promise<number> =>
    loop.call('send', { port, mails, connections: effort.mtaConnections, privateKey, ...how });
  return timedRound({ sink, pid: loop.pid, mails, send, limit: LIMIT });
}
