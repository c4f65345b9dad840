import { stopWarmup } from './stop-warmup';
import { announceWarmups, beginWarmup, listWarmupStates, WARMUPS } from './warmups';
import { DestinationRules } from '../../domain/destinations/destination-rules';
import { LANES } from '../../domain/messages/message';
import { serverOf } from '../../domain/sending/server-routes';
import type { SendingDomain } from '../../domain/settings/sending-domain';
import { USUAL_GOAL, volumesTo, wentOn, type WarmupDay } from '../../domain/warmup/warmup-plan';
import {
  endsOn,
  heldByWarmup,
  stateId,
  stateNow,
  stepsFrom,
  type Warmup,
  type WarmupState,
} from '../../domain/warmup/warmup-state';
import { wibDay } from '../../domain/wib';
import { counted } from '../../lib/counted';
import { DAY } from '../../lib/clock';
import { isOperator } from '../domains/domain-check';
import {
  domain as found,
  ForbiddenError,
  jsonTime,
  neededFound,
  operation,
  OperationError,
  option,
  type Session,
  text,
  UsageError,
  whole,
  why,
} from '../definition';

/** Waiting messages are counted up to this. */
const MAX_WAITING = 100_000;
const MAX_GOAL = 10_000_000;

const domain = neededFound('<domain>', 'id or name of the sending domain', found);

/** Throws when mail of the domain cannot be shared between this server and another one. */
function checkServer({ config }: Session, of: SendingDomain, server: string): void {
  const { mtaServers, mtaRoutes } = config;
  const names = mtaServers.map(({ name }) => name);
  if (!names.includes(server)) {
    throw new UsageError(
      why('no_server', { server: JSON.stringify(server) }),
      `Servers: ${names.join(', ') || 'none'}.`,
      '--server',
    );
  }
  const usual = LANES.map((lane) => serverOf(mtaRoutes, { ...of, lane }) ?? names[0]);
  if (usual.includes(server)) {
    throw new UsageError(
      why('same_server', { domain: of.domain, server }),
      'Choose another server for it in KURIR_MTA_ROUTES until the warm-up has finished.',
      '--server',
    );
  }
}

/** A warm-up that runs may be begun again as it is. */
async function sameOrRefused({ stores, clock }: Session, { domain: name }: SendingDomain, wanted: Warmup) {
  const running = (await stores.records.get(WARMUPS, name, clock.now()))?.body;
  if (running?.server === wanted.server && running.volumes.at(-1) === wanted.volumes.at(-1)) return;
  throw new OperationError(why('warmed', { name }), `kurir warmup plan --domain ${name}`);
}

const start = operation('warmup.start', 'developer', {
  summary: 'warm up a sending domain: a daily volume for each destination, which grows after each clean day',
  options: {
    domain,
    server: option(
      '<name>',
      'warm up this server along with it; email above the volume takes the usual server',
      text(32),
    ),
    goal: option('<n>', 'target number of emails per day to one destination', whole(1, MAX_GOAL), USUAL_GOAL),
  },
  examples: [
    ['warmup start --domain tokomelati.example', 'email above the daily volume is sent the next day'],
    ['warmup start --domain 2 --server new --goal 5000', 'a new server next to an established one'],
  ],
  notes: 'docs/deliverability.md#warm-up describes the plan, and what counts as a clean day.',
  handler: async ({ domain: of, server, goal }, session) => {
    const { stores, clock, config } = session;
    if (server !== undefined && !isOperator(session.access)) {
      throw new ForbiddenError(why('server_operators', { label: '--server' }));
    }
    if (config.destinations === null) {
      throw new UsageError(why('no_pacing'), 'Set KURIR_MTA_URL; with the sandbox, set KURIR_DESTINATION_RULES.');
    }
    if (server !== undefined) checkServer(session, of, server);
    const now = clock.now();
    await session.note('warmup start', `${of.domain}${server === undefined ? '' : ` over ${server}`}`, of.workspaceId);
    const body = { domainId: of.id, server: server ?? null, volumes: volumesTo(goal), startedAt: now };
    if (!(await beginWarmup(stores.records, of, body, now))) await sameOrRefused(session, of, body);
    await announceWarmups(stores.records, now);
    return { domain: of.domain, server: body.server, volumes: body.volumes };
  },
  text: ({ domain: name, volumes }) =>
    `${name} starts with ${volumes[0]} emails per day to each destination: kurir warmup plan --domain ${name}\n`,
});

const figuresOf = ({ day, volume, deferred, bounced, complained, refused, ...of }: WarmupDay) => ({
  day,
  volume,
  sent: wentOn(of),
  deferred,
  bounced,
  complained,
  refused,
});

/** Its days that are over, this one, and those to come if each is clean. */
function rowsOf(warmup: Warmup, destination: string, state: WarmupState, now: number) {
  const { past, today, done } = state;
  const none = { sent: null, deferred: null, bounced: null, complained: null, refused: null };
  return [
    ...past.map(({ verdict, ...day }) => ({ destination, ...figuresOf(day), verdict })),
    ...(done ? [] : [{ destination, ...figuresOf(today), verdict: 'today' }]),
    ...(done ? [] : stepsFrom(warmup.volumes, today.volume)).map((volume, n) => ({
      destination,
      day: wibDay(now + (n + 1) * DAY),
      volume,
      ...none,
      verdict: 'planned',
    })),
  ];
}

async function destinationsOf({ stores, clock }: Session, name: string, warmup: Warmup) {
  const now = clock.now();
  const own = await listWarmupStates(stores.records, name, now);
  return Promise.all(
    own.map(async ({ id, body }) => {
      const destination = id.slice(stateId(name, '').length);
      const state = stateNow(warmup, body, now);
      const waiting = await stores.backlogs.held(heldByWarmup(name, destination), now, MAX_WAITING);
      return {
        destination,
        waiting,
        ends_on: endsOn(warmup, state, now),
        rows: rowsOf(warmup, destination, state, now),
      };
    }),
  );
}

const plan = operation('warmup.plan', 'viewer', {
  summary: 'show the plan of a warm-up and its progress, by destination and day, and the expected end',
  options: { domain },
  examples: [
    ['warmup plan --domain tokomelati.example', 'each day: volume, sent, deferred, bounced, complained'],
    ['warmup plan --domain 2 --json', 'with the messages queued for each destination'],
  ],
  notes: 'Days are in WIB. Future days assume that every day is clean.',
  handler: async ({ domain: of }, session) => {
    const entry = await session.stores.records.get(WARMUPS, of.domain, session.clock.now());
    if (!entry)
      return { domain: of.domain, started_at: null, server: null, goal: null, ends_on: null, destinations: [] };
    const destinations = await destinationsOf(session, of.domain, entry.body);
    const ends = destinations.flatMap(({ ends_on: day }) => (day === null ? [] : [day])).sort();
    const { startedAt, server, volumes } = entry.body;
    return {
      domain: of.domain,
      started_at: jsonTime(startedAt),
      server,
      goal: volumes.at(-1) ?? null,
      ends_on: ends.at(-1) ?? null,
      destinations,
    };
  },
  text: ({ started_at: startedAt, ends_on: end, destinations }, view) => {
    if (startedAt === null) return 'This domain is not being warmed up: kurir warmup start\n';
    const rows = destinations.flatMap(({ rows: days }) => days);
    const table = view.table(
      rows,
      {
        destination: 'destination',
        day: 'day',
        plan: 'volume',
        sent: 'sent',
        deferred: 'deferred',
        bounced: 'bounced',
        complained: 'complained',
        refused: 'refused',
        verdict: 'verdict',
      },
      'Nothing was sent yet.',
    );
    return `${table}${end === null ? '' : `ends on ${end} if every day is clean\n`}`;
  },
});

const stop = operation('warmup.stop', 'developer', {
  irreversible: true,
  summary: 'end the warm-up of a sending domain, and release its queued messages',
  options: { domain },
  examples: [['warmup stop --domain tokomelati.example', 'its email is sent at the usual rate']],
  notes: 'Before the goal is reached, receivers may reject a sudden increase in volume.',
  handler: async ({ domain: of }, session) => {
    const { config, stores, clock } = session;
    const running = await stores.records.get(WARMUPS, of.domain, clock.now());
    if (running?.body.server != null && !isOperator(session.access)) {
      throw new ForbiddenError(why('warmup_operators'), '', '--domain');
    }
    await session.note('warmup stop', of.domain, of.workspaceId);
    const rules = config.destinations && new DestinationRules(config.destinations);
    return { domain: of.domain, released: await stopWarmup({ rules, ...stores, clock }, of.domain) };
  },
  text: ({ domain: name, released }) => `The warm-up of ${name} has ended; ${counted(released, 'message')} released\n`,
});

/** `kurir warmup` of a domain. */
export const DOMAIN_WARMUP = { start, plan, stop };
