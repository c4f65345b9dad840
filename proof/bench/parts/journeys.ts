import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { clusterInstallation } from '../../crash/cluster-installation';
import { embeddedInstallation, type Installation } from '../../crash/installation';
import { SECRET } from '../../crash/seed';
import { fullMinute, STEP_WORK } from '../../../domain/journeys/enrollment';
import { Keyring } from '../../../domain/keyring';
import { DAY, MINUTE, SECOND } from '../../../lib/clock';
import { sleep } from '../../../lib/sleep';
import type { Engine } from '../../../stores/ports/engine';
import { clusterServers } from '../cluster-servers';
import { startHelper } from '../helper';
import { fixed, machine, type Section, whole } from '../report';
import { SAMPLE } from '../sample-mail';
import { seedWorkspaces, type SeededSender } from '../seed';
import { startService, type Service } from '../service';
import { refuseFaults } from './accept';

export const JOURNEYS_TITLE = 'Journeys';

interface Effort {
  enrollments: number;
  /** Length of a stretch of accepts, seconds. */
  seconds: number;
}
const FULL: Effort = { enrollments: 100_000, seconds: 10 };
const QUICK: Effort = { enrollments: 3_000, seconds: 2 };

const WARM_UP = 4;
const LOAD = 64;
const BATCH = 1_000;
/** Time to fill the store for one enrollment, and for all else before the steps fall due, ms. */
const FILL_EACH = 1.5;
const REST = 30 * SECOND;
const LOOK = 50;
const LIMIT = 20 * MINUTE;

interface Found {
  /** Steps a second, and how long all of them took in seconds. */
  rate: number;
  took: number;
  /** Accepts a second before and after. */
  accepts: number;
}

/**
 * Mail steps that are due in one minute, beside accepts by the API on the same data; on the cluster too where it is.
 */
export async function journeyRates(quick: boolean, env: NodeJS.ProcessEnv): Promise<Section> {
  const effort = quick ? QUICK : FULL;
  const load = fixed(loadavg()[0] ?? NaN, 1);
  const rows: string[][] = [];
  for (const { name, installation } of installations(env)) {
    const { rate, took, accepts } = await measure(installation, effort);
    console.error(`${name}: ${whole(rate)} steps a second, ${whole(accepts)} accepts`);
    rows.push([name, whole(rate), whole(accepts), fixed(rate / accepts, 2), fixed(took, 1)]);
  }
  return {
    title: JOURNEYS_TITLE,
    about:
      `\`npm run bench -- journeys\` on ${new Date().toISOString().slice(0, 10)}: ${machine()} Load at the start: ${load}. ` +
      `${whole(effort.enrollments)} enrollments stand at a mail step that is due in the same minute. Measured from that minute until each has ` +
      'queued its mail and waits for the next step, all roles in one process. Accepts are POST /v1/messages over ' +
      `${LOAD} connections on the same service, before and after. The aim is a ratio of 0.5.`,
    head: ['engine', 'steps/s', 'accepts/s', 'ratio', 'all, s'],
    rows,
  };
}

/** The cluster needs its servers. */
function installations(env: NodeJS.ProcessEnv): { name: string; installation: Installation }[] {
  const dataDir = mkdtempSync(join(tmpdir(), 'kurir-bench-data-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  const embedded = { name: 'embedded', installation: embeddedInstallation(dataDir) };
  if (!env['MONGODB_URL']) return [embedded];
  const name = `kurir_bench_${randomUUID().slice(0, 8)}`;
  return [embedded, { name: 'cluster', installation: clusterInstallation(clusterServers(env), name) }];
}

async function measure(installation: Installation, effort: Effort): Promise<Found> {
  const folder = mkdtempSync(join(tmpdir(), 'kurir-bench-'));
  const roles = { load: startHelper('load'), sink: startHelper('sink') };
  const engine = await installation.open();
  let service: Service | null = null;
  try {
    const [sender] = (await seedWorkspaces(
      { stores: engine.stores, clock: new AdvancingClock(), secret: SECRET },
      1,
    )) as [SeededSender];
    const accepts = 2 * (WARM_UP + effort.seconds) * SECOND;
    const due = fullMinute(Date.now() + effort.enrollments * FILL_EACH + accepts + REST);
    await fill(engine, sender, effort.enrollments, due);
    service = await startService({
      folder,
      env: { ...installation.env, KURIR_SECRET: SECRET },
      mtaPort: await roles.sink.call('listen', undefined),
      connections: 20,
    });
    const { port } = service;
    const accept = async (seconds: number): Promise<number> => {
      const result = await roles.load.call('load', { port, senders: [sender], connections: LOAD, until: { seconds } });
      refuseFaults([result]);
      return result.rate;
    };
    await accept(WARM_UP);
    const before = await accept(effort.seconds);
    if (Date.now() > due - SECOND) throw new Error('The machine is too busy: the steps were due before all was ready.');
    await sleep(due - Date.now());
    const took = await untilDone(engine, due);
    const after = await accept(effort.seconds);
    return { rate: effort.enrollments / took, took, accepts: (before + after) / 2 };
  } finally {
    await service?.stop();
    await engine.close();
    for (const role of Object.values(roles)) role.stop();
    await installation.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Enrolls so many contacts by a join, so that their first step is due at `due` (ms). */
async function fill({ stores }: Engine, { domainId }: SeededSender, count: number, due: number): Promise<void> {
  const [workspace] = await stores.workspaces.list();
  const workspaceId = workspace!.id;
  const keyring = new Keyring(SECRET);
  const createdAt = Date.now();
  const list = { name: 'Bench', description: null, publicToken: randomUUID(), optInMode: 'single' as const, createdAt };
  const { id: audienceId } = await stores.audiences.create({ ...list, workspaceId });
  await stores.journeys.create({
    workspaceId,
    name: 'Bench',
    status: 'active',
    triggerType: 'audience_join',
    audienceId,
    createdAt,
    goal: null,
    secretSealed: 'none',
    steps: [
      { kind: 'email', domainId, ...SAMPLE },
      { kind: 'wait', ms: DAY },
    ],
  });
  for (let n = 0; n < count; n += BATCH) {
    const contacts = Array.from({ length: Math.min(BATCH, count - n) }, (_, i) => {
      const email = `r${n + i}@recipient.example`;
      return { email, emailHash: keyring.hashAddress(email), name: null, status: 'subscribed' as const };
    });
    await stores.bulkContacts.add({ workspaceId, audienceId, contacts, at: due });
  }
}

/** Waits until no step is due nor claimed any more. Returns how long that took from `due`, in seconds. */
async function untilDone({ stores }: Engine, due: number): Promise<number> {
  while (Date.now() < due + LIMIT) {
    const next = await stores.dueTasks.nextDue(STEP_WORK);
    if (next === null || next > due + DAY / 2) return (Date.now() - due) / SECOND;
    await sleep(LOOK);
  }
  throw new Error('The steps were not done in time.');
}
