import type { LoadResult } from '../load';
import type { Sender } from '../message-request';
import { type Section, fixed, whole } from '../report';
import type { Stage } from '../stage';
import { median } from '../time';

const WARM_UP = 4;
/** Sent to the bare server, which reads neither. */
const NOBODY: Sender = { apiKey: 'kurir_sk_none', domainId: 1 };

/** Durable accepts per second, compared with Koa, @koa/router and Joi that answer at once. */
export async function acceptRate(stage: Stage): Promise<Section> {
  const { effort, load, service, barePort } = stage;
  const sender = stage.takeSenders(1)[0] as Sender;
  const run = (port: number, from: Sender, seconds: number): Promise<LoadResult> =>
    load.call('load', { port, senders: [from], connections: effort.connections, until: { seconds } });
  const ours: LoadResult[] = [];
  const bare: LoadResult[] = [];
  await run(service.port, sender, WARM_UP);
  await run(barePort, NOBODY, WARM_UP);
  for (let round = 0; round < effort.rounds; round++) {
    ours.push(await run(service.port, sender, effort.seconds));
    bare.push(await run(barePort, NOBODY, effort.seconds));
  }
  refuseFaults([...ours, ...bare]);
  const of = (results: LoadResult[], read: (result: LoadResult) => number): number => median(results.map(read));
  const row = (name: string, results: LoadResult[], ratio: string): string[] => [
    name,
    whole(of(results, (result) => result.rate)),
    ratio,
    fixed(
      of(results, (result) => result.p50),
      0,
    ),
    fixed(
      of(results, (result) => result.p99),
      0,
    ),
  ];
  const ratio = median(ours.map((result, round) => result.rate / (bare[round]?.rate ?? NaN)));
  return {
    title: 'Accept rate',
    about:
      `POST /v1/messages with 2 kB of html to new recipients over ${effort.connections} connections: every check of ` +
      'the contract and one durable commit, compared with a bare Koa + @koa/router + Joi server that validates the same body and answers.',
    head: ['server', 'accepted/s', 'ratio', 'p50 ms', 'p99 ms'],
    rows: [row('Kurir', ours, fixed(ratio, 2)), row('bare Koa + Joi', bare, '1.00')],
  };
}

/** Throws when an answer was not 2xx, since the load then measures something else. */
export function refuseFaults(results: readonly { refused: number }[]): void {
  const refused = results.reduce((sum, result) => sum + result.refused, 0);
  if (refused > 0) throw new Error(`${refused} requests were not accepted.`);
}
