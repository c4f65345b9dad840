import { type Section, fixed, whole } from '../report';
import type { Stage } from '../stage';
import { refuseFaults } from './accept';

/** Requests per second. */
const RATES = [500, 1_000];
/** Requests per workspace: below the 1,200 mails a minute of a premium one, so that all are dispatched. */
const PER_WORKSPACE = 1_000;
const WARM_UP = 2;

const sendersFor = (rate: number, seconds: number): number => Math.ceil((rate * seconds) / PER_WORKSPACE);

/** Workspaces that this part uses. */
export const latencySenders = (seconds: number): number =>
  RATES.reduce((sum, rate) => sum + sendersFor(rate, seconds), sendersFor(RATES[0] ?? 0, WARM_UP));

/** Latency of accepts while everything accepted is dispatched, at rates that do not wait for answers. */
export async function acceptLatency(stage: Stage): Promise<Section> {
  const { effort, service, load, sink, takeSenders } = stage;
  const rows: string[][] = [];
  const run = (rate: number, seconds: number) =>
    load.call('steady', { port: service.port, senders: takeSenders(sendersFor(rate, seconds)), rate, seconds });
  await run(RATES[0] ?? 0, WARM_UP);
  for (const rate of RATES) {
    await sink.call('reset', undefined);
    const result = await run(rate, effort.seconds);
    refuseFaults([result]);
    const { mails } = await sink.call('count', undefined);
    rows.push([
      whole(rate),
      whole(mails / effort.seconds),
      ...[result.p50, result.p99, result.max].map((ms) => fixed(ms, 1)),
    ]);
  }
  return {
    title: 'Accept latency while dispatching',
    about:
      'POST /v1/messages at a fixed rate, timed from the moment each request was due (the timer of the generator adds up to ' +
      '1 ms), while what was accepted is signed and handed to the sending server.',
    head: ['accepts/s', 'mails/s handed over', 'p50 ms', 'p99 ms', 'max ms'],
    rows,
  };
}
