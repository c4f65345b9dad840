import { afterAll, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { auditData } from '../../proof/crash/audit-data';
import type { Installation } from '../../proof/crash/installation';
import { SECRET, seedWorkspaces, type Sender } from '../../proof/crash/seed';
import { Stage } from '../../proof/crash/stage/stage';
import { journeySecretContext, type Journey } from '../../domain/journeys/journey';
import { Keyring } from '../../domain/keyring';
import { DAY, HOUR } from '../../lib/clock';
import type { Engine } from '../../stores/ports/engine';
import type { EnrolledContact } from '../../stores/ports/journey-runs';
import { aHit } from '../support/builders';
import { EVERYTHING } from '../support/everything';
import { describeOnEngines } from '../support/engines';
import { aJourney, anEnrollment } from '../support/marketing';

/** More of them: `JOURNEY_CONTACTS=1000`. */
const CONTACTS = Number(process.env['JOURNEY_CONTACTS'] ?? 60);
/** What every tenth contact does on the way, by the rest of its number. */
const CLICKS = 1;
const UNSUBSCRIBES = 2;
const DELETED = 3;
const BOUNCES = 4;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describeOnEngines('A journey of six steps over five days while kill -9 ends the service', (install) => {
  let stage: Stage | null = null;
  let hook: Hook | null = null;
  afterAll(async () => {
    await stage?.close();
    hook?.server.close();
  });

  it('ends as its definition says, with its mails, posts and goals', async () => {
    const installation = install();
    const [sender] = (await seedWorkspaces(installation, 1)) as [Sender];
    hook = await openHook();
    const journey = await prepare(installation, sender, hook.url);
    stage = await Stage.open({ program: join(__dirname, '../../dist/crash.js'), installation, sinkInProcess: true });
    let ahead = 0;
    const advance = async (ms: number): Promise<void> => {
      ahead += ms;
      await stage!.advance(ms);
    };
    await stage.start();
    /** Kills the service every second, until all these contacts left. */
    const untilLeft = async (...which: number[]): Promise<void> => {
      const deadline = Date.now() + 300_000;
      for (let n = 0; ; n += 1) {
        const staying = await stillIn(installation, journey, which);
        if (staying.length === 0) return;
        if (Date.now() > deadline) throw new Error(`They stay in the journey: ${JSON.stringify(staying)}`);
        // Well before the first wait ends.
        if (n < 60) await advance(10_000);
        await pause(300);
        if (n < 60 && n % (EVERYTHING ? 4 : 12) === 3) {
          await stage!.kill();
          await stage!.start();
        }
      }
    };
    await untilLeft(BOUNCES);
    // A click at the time of the delivery would be taken for a machine's.
    await untilIdle(stage);
    await advance(HOUR);
    await untilIdle(stage);
    await act(installation, journey, Date.now() + ahead);
    await untilLeft(CLICKS, UNSUBSCRIBES, DELETED);
    for (let half = 0; half < 10; half += 1) {
      await pause(150);
      if (EVERYTHING || half % 4 === 0) {
        await stage.kill();
        await stage.start();
      }
      await advance(DAY / 2);
    }
    // What a kill held up ends later: a post of the webhook step after the lease and the wait of its attempt.
    for (let n = 0; n < 40 && (await underWay(installation, journey)); n += 1) {
      await advance(3 * HOUR);
      await untilIdle(stage);
    }
    await stage.stop();
    const engine = await installation.open();
    const enrolled = await engine.stores.journeyRuns.list(journey, 0, CONTACTS + 1);
    const posts = await engine.stores.journeyPosts.list(journey, CONTACTS);
    const cut = await cutOff(engine, enrolled);
    await engine.close();
    expectEnds(enrolled, cut);
    const reached = enrolled.filter(({ steps }) => steps.some(({ type }) => type === 'webhook'));
    const ids = reached.map(({ id }) => `${id}:3`).sort();
    expect(posts.map(({ enrollmentId, step, state }) => [`${enrollmentId}:${step}`, state]).sort()).toEqual(
      ids.map((id) => [id, 'delivered']),
    );
    expect([...hook.seen].sort()).toEqual(ids);
    expect(await auditData(installation)).toEqual([]);
  }, 900_000);
});

interface Hook {
  server: Server;
  url: string;
  /** The `webhook-id` of everything that arrived. */
  seen: Set<string>;
}

async function openHook(): Promise<Hook> {
  const seen = new Set<string>();
  const server = createServer((req, res) => {
    seen.add(String(req.headers['webhook-id']));
    req.resume();
    res.statusCode = 204;
    res.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, seen };
}

async function prepare(installation: Installation, { workspaceId, domainId }: Sender, url: string): Promise<Journey> {
  const engine = await installation.open();
  const { journeys, journeyRuns } = engine.stores;
  const at = Date.now();
  const keyring = new Keyring(SECRET);
  const mail = { kind: 'email', domainId, subject: 'Halo', html: '<p>Halo {{nama|Kak}}</p>', text: null } as const;
  const journey = await journeys.create(
    aJourney(workspaceId, {
      steps: [
        mail,
        { kind: 'wait', ms: DAY },
        { kind: 'webhook', url },
        { kind: 'wait', ms: 4 * DAY - HOUR },
        mail,
        { kind: 'branch', on: { kind: 'opened', step: 1 }, then: [], else: [] },
      ],
      goal: { event: 'click', ends: true },
      secretSealed: keyring.seal('s'.repeat(40), journeySecretContext(workspaceId)),
      createdAt: at,
    }),
  );
  for (let n = 0; n < CONTACTS; n += 1) {
    const email = `${n % 10 === BOUNCES ? 'hardbounce' : 'delivered'}+${n}@pelanggan.test`;
    const contact = { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at };
    await journeyRuns.enroll({ ...anEnrollment(journey, contact), at });
  }
  await engine.close();
  return journey;
}

const numberOf = ({ email }: EnrolledContact): number => Number(/\+(\d+)@/.exec(email ?? '')?.[1] ?? NaN) % 10;

/** Some click in the first mail, some unsubscribe, some are deleted. */
async function act(installation: Installation, journey: Journey, at: number): Promise<void> {
  const engine = await installation.open();
  const { workspaceId } = journey;
  for (const row of await engine.stores.journeyRuns.list(journey, 0, CONTACTS)) {
    const [first] = row.steps;
    const which = numberOf(row);
    if (which === CLICKS) {
      const key = first?.messageId ?? '';
      const value = aHit(key, { id: `hit-${key}`, kind: 'click', at, link: 0 });
      await engine.log.publish([{ topic: 'engagement.hits', key, value }]);
    }
    if (which === UNSUBSCRIBES) {
      await engine.stores.contacts.raiseStatus(workspaceId, row.contactId, 'unsubscribed', at);
    }
    if (which === DELETED) await engine.stores.contacts.delete(workspaceId, row.contactId);
  }
  await engine.close();
}

/**
 * These contacts that are in the journey. One that bounces stays, and is not listed with `which`, when a kill came in
 * the middle of the hand-off: nobody refused that mail.
 */
async function stillIn(
  installation: Installation,
  journey: Journey,
  which?: readonly number[],
): Promise<EnrolledContact[]> {
  const engine = await installation.open();
  const { journeyRuns, messages } = engine.stores;
  const staying = [];
  for (const row of await journeyRuns.list(journey, 0, CONTACTS + 1)) {
    if (row.status !== 'active' || which?.includes(numberOf(row)) === false) continue;
    const mail = which?.includes(BOUNCES) ? await messages.get(row.steps[0]?.messageId ?? '') : null;
    if (!mail?.unknown) staying.push(row);
  }
  await engine.close();
  return staying;
}

/** The contacts whose first mail ended without a word from the recipient's server. */
async function cutOff(engine: Engine, enrolled: readonly EnrolledContact[]): Promise<Set<number>> {
  const cut = new Set<number>();
  for (const { contactId, steps } of enrolled) {
    const mail = await engine.stores.messages.get(steps[0]?.messageId ?? '');
    if (mail?.status === 'failed') cut.add(contactId);
  }
  return cut;
}

/** True while a contact is in the journey, or a post is owed. */
async function underWay(installation: Installation, journey: Journey): Promise<boolean> {
  if ((await stillIn(installation, journey)).length > 0) return true;
  const engine = await installation.open();
  const posts = await engine.stores.journeyPosts.list(journey, CONTACTS);
  await engine.close();
  return posts.some(({ state }) => state === 'waiting');
}

async function untilIdle(stage: Stage): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < 3 && looks < 100; looks += 1) {
    await pause(50);
    quiet = (await stage.isIdle()) ? quiet + 1 : 0;
  }
}

const ENDS: Readonly<Record<number, string>> = {
  [CLICKS]: 'left goal 1',
  [UNSUBSCRIBES]: 'left unsubscribed 1',
  [BOUNCES]: 'left bounced 1',
};

function expectEnds(enrolled: readonly EnrolledContact[], cut: ReadonlySet<number>): void {
  expect(enrolled).toHaveLength(CONTACTS);
  const all = enrolled.map((row) => {
    const { contactId, email, status, reason, steps } = row;
    if (numberOf(row) === BOUNCES && cut.has(contactId)) {
      expect(status).not.toBe('active');
      return `${BOUNCES}: ${ENDS[BOUNCES]}`;
    }
    const end = `${status} ${reason} ${steps.map(({ step }) => step).join()}`;
    return email === null ? `deleted: ${end}` : `${numberOf(row)}: ${end}`;
  });
  const expected = Array.from({ length: CONTACTS }, (_, n) =>
    n % 10 === DELETED ? 'deleted: left deleted 1' : `${n % 10}: ${ENDS[n % 10] ?? 'completed null 1,2,3,4,5,6'}`,
  );
  expect(all.sort()).toEqual(expected.sort());
}
