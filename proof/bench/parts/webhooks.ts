import { randomBytes } from 'node:crypto';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { EVENTS_OF_MAIL, HTML, visitsOf, type Hit } from '../webhook-visits';
import { Keyring } from '../../../domain/keyring';
import { eventId } from '../../../domain/webhooks/webhook-delivery';
import { sleep } from '../../../lib/sleep';
import { openEmbedded } from '../../../stores/embedded/open';
import { callApi } from '../call-api';
import { startHelper, type Helper } from '../helper';
import { inFolder } from '../in-folder';
import type { Sender } from '../message-request';
import { fixed, machine, type Section, whole } from '../report';
import { seed } from '../seed';
import { startService, type Service } from '../service';
import { median, monotonic, percentile } from '../time';

export const WEBHOOKS_TITLE = 'Webhooks';

interface Effort {
  rounds: number;
  /** Events of a round of the rate; each goes to every endpoint. */
  events: number;
  /** Length and pace of a stretch of the latency, seconds and events a second. */
  seconds: number;
  pace: number;
}
const FULL: Effort = { rounds: 3, events: 4_000, seconds: 10, pace: 50 };
const QUICK: Effort = { rounds: 1, events: 500, seconds: 3, pace: 50 };

/** Good endpoints, and connections to each: what the service allows an endpoint and a workspace by default. */
const ENDPOINTS = 5;
const CONNECTIONS = 10;
/** Clicks and the open of a mail. */
const VISITS = EVENTS_OF_MAIL - 1;
const LIMIT = 120_000;

interface Stage {
  effort: Effort;
  folder: string;
  secret: string;
  sender: Sender;
  endpoints: Helper<'endpoints'>;
  loop: Helper<'undici-loop'>;
  /** The last one hangs. */
  ports: readonly number[];
  start(): Promise<Service>;
}

/** Signed webhooks a second beside a bare undici loop, and what a hanging endpoint costs the others. */
export async function webhookRates(quick: boolean): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const load = fixed(loadavg()[0] ?? NaN, 1);
  return withStage(effort, async (stage) => {
    const p99s = await measureLatency(stage);
    const rates = await measureRate(stage);
    const row = (name: string, found: readonly [ours: number, theirs: number][], digits: number): string[] => [
      name,
      fixed(median(found.map(([ours]) => ours)), digits),
      fixed(median(found.map(([, theirs]) => theirs)), digits),
      fixed(median(found.map(([ours, theirs]) => ours / theirs)), 2),
    ];
    return {
      title: WEBHOOKS_TITLE,
      about:
        `\`npm run bench -- webhooks\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Load at the start: ${load}. The rate: ${whole(effort.events)} events ` +
        `that wait for each of ${ENDPOINTS} endpoints, in the second half of the arrivals, when both are warm, beside undici clients in a loop that ` +
        `post as many bytes to the same endpoints over as many connections and store nothing: once bare, once with both signatures on each. The p99: ${effort.pace} clicks a second, from the ` +
        'request of the click until its webhook arrives, while one more endpoint of the workspace never answers, beside the same without it.',
      head: ['measured', 'Kurir', 'baseline', 'ratio'],
      rows: [
        row('signed webhooks/s, and a bare undici loop', rates.bare, 0),
        row('signed webhooks/s, and an undici loop that signs each', rates.signing, 0),
        row('p99 ms with an endpoint that hangs, and without', p99s, 1),
      ],
    };
  });
}

async function measureLatency(stage: Stage): Promise<[number, number][]> {
  const { effort, sender, ports, secret } = stage;
  const service = await stage.start();
  try {
    for (const port of ports.slice(0, -1)) await register(service, sender, port);
    const events = effort.seconds * effort.pace;
    const mails = Math.ceil((events * (2 * effort.rounds + 1)) / VISITS);
    const visits = visitsOf(await sendMails(service, sender, mails), new Keyring(secret));
    const next = (): ReturnType<typeof playLatency> => playLatency(stage, service, visits, events);
    // The first stretch warms up.
    await next();
    const found: [number, number][] = [];
    for (let round = 0; round < effort.rounds; round += 1) {
      const alone = await next();
      const hanging = await register(service, sender, ports.at(-1)!);
      const beside = await next();
      await callApi(service, sender, 'DELETE', `/webhooks/${hanging}`);
      console.error(`p99: ${fixed(beside, 1)} ms beside one that hangs, ${fixed(alone, 1)} ms without`);
      found.push([beside, alone]);
    }
    return found;
  } finally {
    await service.stop();
  }
}

/** Visits pages at an even pace. Returns the p99 of the time until a webhook of it arrives, ms. */
async function playLatency(
  { effort, endpoints }: Stage,
  service: Service,
  visits: Iterator<Hit, undefined>,
  events: number,
): Promise<number> {
  await endpoints.call('reset', undefined);
  const began = monotonic();
  const visitedAt = new Map<string, number>();
  const open: Promise<unknown>[] = [];
  for (let n = 0; n < events; n += 1) {
    const due = began + (n * 1_000) / effort.pace - monotonic();
    if (due > 0) await sleep(due);
    const visit = visits.next().value;
    if (!visit) throw new Error('There are too few mails.');
    visitedAt.set(visit.event, monotonic());
    open.push(fetch(`http://127.0.0.1:${service.port}${visit.path}`, { redirect: 'manual' }));
  }
  await Promise.all(open);
  await untilArrived(endpoints, events * ENDPOINTS);
  const arrivals = await endpoints.call('arrivals', undefined);
  return percentile(
    arrivals.map(([event, at]) => at - (visitedAt.get(event) ?? NaN)),
    0.99,
  );
}

interface Rates {
  bare: [ours: number, theirs: number][];
  signing: [ours: number, theirs: number][];
}

/** Rounds of ours and of the two loops, in turn. The service starts with events that wait. */
async function measureRate(stage: Stage): Promise<Rates> {
  const { effort, endpoints } = stage;
  const requests = effort.events * ENDPOINTS;
  const body = await endpoints.call('lastBody', undefined);
  const found: Rates = { bare: [], signing: [] };
  for (let round = 0; round < effort.rounds; round += 1) {
    await fill(stage, round);
    const bare = await loopRate(stage, requests, body, null);
    const signing = await loopRate(stage, requests, body, randomBytes(20).toString('hex'));
    await endpoints.call('reset', undefined);
    const service = await stage.start();
    try {
      await untilArrived(endpoints, requests);
    } finally {
      await service.stop();
    }
    const ours = await secondHalf(endpoints, requests);
    console.error(`${whole(ours)}, ${whole(bare)} of a bare loop and ${whole(signing)} of one that signs, a second`);
    found.bare.push([ours, bare]);
    found.signing.push([ours, signing]);
  }
  return found;
}

async function loopRate(
  { endpoints, loop, ports }: Stage,
  requests: number,
  body: string,
  secret: string | null,
): Promise<number> {
  await endpoints.call('reset', undefined);
  await loop.call('post', { ports: ports.slice(0, -1), connections: CONNECTIONS, requests, body, secret });
  return secondHalf(endpoints, requests);
}

/** Arrivals a second in the second half, when both are warm. Throws when not all have arrived. */
async function secondHalf(endpoints: Stage['endpoints'], expected: number): Promise<number> {
  const { requests, halfAt, lastAt } = await endpoints.call('count', undefined);
  if (requests < expected) throw new Error(`Only ${requests} of ${expected} requests arrived.`);
  return ((requests / 2) * 1_000) / (lastAt - halfAt);
}

/** Stores further opens of the mails that were sent, with their deliveries, while the service is stopped. */
async function fill({ effort, folder }: Stage, round: number): Promise<void> {
  const clock = new AdvancingClock();
  const engine = await openEmbedded({ file: join(folder, 'kurir.sqlite'), clock });
  try {
    const { items } = await engine.stores.messages.list(1, { offset: 0, limit: 100 });
    const store = (n: number): Promise<boolean> => {
      const messageId = items[n % items.length]!.id;
      const occurredAt = clock.now();
      const facts = { messageId, event: 'open' as const, occurredAt, reason: null };
      const id = eventId({ ...facts, key: `${round} ${n}` });
      return engine.stores.deliveries.fanOut({ ...facts, id, workspaceId: 1, link: null }, occurredAt);
    };
    for (let n = 0; n < effort.events; n += 100) {
      await Promise.all(Array.from({ length: Math.min(100, effort.events - n) }, (_, i) => store(n + i)));
    }
  } finally {
    await engine.close();
  }
}

async function untilArrived(endpoints: Stage['endpoints'], requests: number): Promise<void> {
  const deadline = monotonic() + LIMIT;
  for (;;) {
    const count = await endpoints.call('count', undefined);
    if (count.requests >= requests) return;
    if (monotonic() > deadline) throw new Error(`Only ${count.requests} of ${requests} webhooks arrived.`);
    await sleep(50);
  }
}

async function register(service: Service, sender: Sender, port: number): Promise<number> {
  const body = { url: `http://127.0.0.1:${port}/`, event_types: ['open', 'click'] };
  return Number((await callApi(service, sender, 'POST', '/webhooks', body))['id']);
}

async function sendMails(service: Service, sender: Sender, count: number): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const mail = { to: `bench${n}@contoh.example`, subject: 'Halo', html: HTML, sending_domain_id: sender.domainId };
    ids.push(String((await callApi(service, sender, 'POST', '/messages', mail))['message_id']));
  }
  const statusOf = async (id: string): Promise<unknown> =>
    (await callApi(service, sender, 'GET', `/messages/${id}`))['status'];
  for (const id of ids) while ((await statusOf(id)) !== 'sent_to_mta') await sleep(50);
  return ids;
}

function withStage<T>(effort: Effort, play: (stage: Stage) => Promise<T>): Promise<T> {
  return inFolder(async (folder) => {
    const endpoints = startHelper('endpoints');
    const loop = startHelper('undici-loop');
    const sink = startHelper('sink');
    try {
      const secret = randomBytes(32).toString('hex');
      const [sender] = await seed({ dataDir: folder, secret, workspaces: 1 });
      const ports = await endpoints.call('listen', ENDPOINTS);
      const mtaPort = await sink.call('listen', undefined);
      const env = { KURIR_DATA_DIR: folder, KURIR_SECRET: secret, KURIR_WEBHOOK_PRIVATE_HOSTS: '127.0.0.1' };
      const start = (): Promise<Service> => startService({ folder, env, mtaPort, connections: 20 });
      return await play({ effort, folder, secret, sender: sender!, endpoints, loop, ports, start });
    } finally {
      for (const role of [endpoints, loop, sink]) role.stop();
    }
  });
}
