import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { clusterInstallation } from '../../proof/crash/cluster-installation';
import type { Installation } from '../../proof/crash/installation';
import { temporaryInstallation } from '../support/running';
import { EVERY, findUrls, type Env } from '../support/server-urls';
import { fuzz, type Counts } from './play';
import { fuzzWire } from './wire/play';

const USAGE = `npm run fuzz [-- --requests N --wire N --seed N --engine embedded|cluster]

Sends random requests of every operation of the API's document to a service of its own and holds every answer to the document.
  --requests N   default 20000
  --wire N       play N random sessions with the protocol of the SMTP relay instead, such as 50000
  --seed N       default: a new one
  --engine NAME  default embedded; cluster finds its servers by KAFKA_BROKERS, MONGODB_URL and REDIS_URL`;

interface Choice {
  seed: number;
  requests: number;
  /** Null: requests. */
  wire: number | null;
  engine: string;
  help: boolean;
}

function readArguments(): Choice {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string' },
      requests: { type: 'string', default: '20000' },
      wire: { type: 'string' },
      engine: { type: 'string', default: 'embedded' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const seed = values.seed === undefined ? randomInt(2 ** 31) : Number(values.seed);
  const requests = Number(values.requests);
  if (!Number.isInteger(seed)) throw new Error('--seed must be a whole number.');
  if (!(Number.isInteger(requests) && requests >= 1)) throw new Error('--requests must be a whole number from 1.');
  const wire = values.wire === undefined ? null : Number(values.wire);
  if (wire !== null && !(Number.isInteger(wire) && wire >= 1)) throw new Error('--wire must be a whole number from 1.');
  return { seed, requests, wire, engine: values.engine, help: values.help };
}

function installationOf(engine: string, env: Env): Installation {
  if (engine === 'embedded') return temporaryInstallation();
  if (engine !== 'cluster') throw new Error('--engine must be embedded or cluster.');
  const urls = findUrls(EVERY, env);
  if (typeof urls === 'string') throw new Error(urls);
  return clusterInstallation(urls, `kurir_fuzz_${randomInt(2 ** 31).toString(16)}`);
}

function table(counts: Counts): string {
  const statuses = [...new Set([...counts.values()].flatMap((byStatus) => [...byStatus.keys()]))].sort((a, b) => a - b);
  const row = (name: string, cells: readonly (string | number)[]): string =>
    [name.padEnd(20), ...cells.map((cell) => String(cell).padStart(6))].join('');
  const rows = [...counts].sort(([a], [b]) => a.localeCompare(b));
  return [
    row('operation', statuses),
    ...rows.map(([name, byStatus]) =>
      row(
        name,
        statuses.map((status) => byStatus.get(status) ?? ''),
      ),
    ),
  ].join('\n');
}

async function playWire(seed: number, inputs: number): Promise<void> {
  console.log(`seed ${seed}: ${inputs} sessions`);
  const { mails, closed } = await fuzzWire({ seed, inputs });
  const memory = Math.round(process.memoryUsage().rss / 1_000_000);
  console.log(`${mails} mails were taken and ${closed} sessions ended by the relay; ${memory} MB in use at the end.`);
  console.log('No mail was smuggled, and no split mattered.');
}

async function main(env: Env): Promise<void> {
  const { seed, requests, wire, engine, help } = readArguments();
  if (help) return console.log(USAGE);
  if (wire !== null) return playWire(seed, wire);
  console.log(`seed ${seed}: ${requests} requests to the ${engine} engine`);
  const counts = await fuzz(installationOf(engine, env), { seed, requests });
  console.log(table(counts));
  console.log('Every answer kept the document.');
}

main(process.env).catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
