import { afterAll, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { auditData } from '../../proof/crash/audit-data';
import type { Installation } from '../../proof/crash/installation';
import { SECRET, seedWorkspaces, type Sender } from '../../proof/crash/seed';
import { readJournal } from '../../proof/crash/sink/journal';
import { Stage } from '../../proof/crash/stage/stage';
import type { Journey } from '../../domain/journeys/journey';
import { Keyring } from '../../domain/keyring';
import { MINUTE } from '../../lib/clock';
import type { EnrolledContact } from '../../stores/ports/journey-runs';
import { aJourney, anAudience, anEnrollment } from '../support/marketing';
import { EVERYTHING } from '../support/everything';
import { describeOnEngines } from '../support/engines';

const KILLS = EVERYTHING ? 5 : 2;
const CONTACTS = 120;
/** What the sink does with the mails of some; it takes the mails of all others. */
const ODD: Readonly<Record<number, string>> = { 20: 'hardbounce', 60: 'hardbounce', 90: 'complaint' };

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

describeOnEngines('A journey while kill -9 ends the service again and again', (install) => {
  let stage: Stage | null = null;
  afterAll(() => stage?.close());

  // spec: docs/contract.md#taking-steps: no step is lost or doubled by a crash
  it('does every step of every contact once, in order, and none after the contact left', async () => {
    const installation = install();
    const [sender] = (await seedWorkspaces(installation, 1)) as [Sender];
    const journey = await prepare(installation, sender);
    const program = join(__dirname, '../../dist/crash.js');
    stage = await Stage.open({ program, installation, sinkInProcess: true, sink: { slowWait: 200 } });
    for (let life = 1; life <= KILLS; life += 1) {
      await stage.start();
      for (let n = 0; n < 3; n += 1) {
        await pause(life * 60);
        await stage.advance(MINUTE / 2);
      }
      await stage.kill();
    }
    const enrolled = await toTheEnd(stage, journey);
    expect(enrolled).toHaveLength(CONTACTS);
    expectSteps(enrolled);
    expectMails(enrolled, stage.journal);
    const members = await membersOf(installation, journey);
    const joined = enrolled.filter(({ steps }) => steps.some(({ step }) => step === 6)).length;
    // One who left between the join and its record, when the process died in between, is a member without the step.
    const left = enrolled.filter(({ status }) => status === 'left').length;
    expect(members).toBeGreaterThanOrEqual(joined);
    expect(members).toBeLessThanOrEqual(joined + left);
    expect(await auditData(installation)).toEqual([]);
  }, 600_000);
});

/** A mail, two minutes, a branch with a mail, two minutes, a list, and a last mail. */
async function prepare(installation: Installation, { workspaceId, domainId }: Sender): Promise<Journey> {
  const engine = await installation.open();
  const { audiences, journeys, journeyRuns } = engine.stores;
  const at = Date.now();
  const keyring = new Keyring(SECRET);
  const audience = await audiences.create(anAudience(workspaceId, { createdAt: at }));
  const mail = { kind: 'email', domainId, subject: 'Halo', html: '<p>Halo {{nama|Kak}}</p>', text: null } as const;
  const wait = { kind: 'wait', ms: 2 * MINUTE } as const;
  const journey = await journeys.create(
    aJourney(workspaceId, {
      steps: [
        mail,
        wait,
        { kind: 'branch', on: { kind: 'clicked', step: 1 }, then: [], else: [mail] },
        wait,
        { kind: 'add_to_audience', audienceId: audience.id },
        mail,
      ],
      createdAt: at,
    }),
  );
  for (let n = 0; n < CONTACTS; n += 1) {
    const email = `${ODD[n] ?? 'delivered'}+${n}@pelanggan.test`;
    const contact = { workspaceId, email, emailHash: keyring.hashAddress(email), name: null, at };
    expect(await journeyRuns.enroll({ ...anEnrollment(journey, contact), at })).toEqual({ kind: 'enrolled' });
  }
  await engine.close();
  return journey;
}

/** Lets time pass until every enrollment ended; the last mails are final then. */
async function toTheEnd(stage: Stage, journey: Journey): Promise<EnrolledContact[]> {
  for (let look = 0; ; look += 1) {
    await stage.start();
    for (let n = 0; n < 12; n += 1) {
      await stage.advance(MINUTE / 2);
      await untilIdle(stage);
    }
    await stage.stop();
    const engine = await stage.installation.open();
    const enrolled = await engine.stores.journeyRuns.list(journey, 0, CONTACTS + 1);
    await engine.close();
    if (enrolled.every(({ status }) => status !== 'active')) return enrolled;
    if (look === 5) throw new Error(`not ended: ${JSON.stringify(enrolled.find(({ status }) => status === 'active'))}`);
  }
}

async function untilIdle(stage: Stage): Promise<void> {
  for (let quiet = 0, looks = 0; quiet < 3 && looks < 60; looks += 1) {
    await pause(50);
    quiet = (await stage.isIdle()) ? quiet + 1 : 0;
  }
}

function expectSteps(enrolled: readonly EnrolledContact[]): void {
  const whole = [1, 2, 3, 4, 5, 6, 7];
  for (const { email, status, reason, steps, endedAt } of enrolled) {
    const numbers = steps.map(({ step }) => step);
    expect(numbers).toEqual(whole.slice(0, numbers.length));
    const odd = !email!.startsWith('delivered');
    // A bounce or a complaint may come after the last step, when the process died in between.
    if (status === 'completed') expect(numbers).toEqual(whole);
    else expect([odd, ['bounced', 'complained'].includes(reason ?? '')]).toEqual([true, true]);
    expect(steps.filter(({ at }) => at > endedAt!)).toEqual([]);
    for (const [n, { at }] of steps.entries()) {
      if (n > 0) expect(at).toBeGreaterThanOrEqual(steps[n - 1]!.at);
      if (steps[n]!.type === 'wait') expect(at - steps[n - 1]!.at).toBeGreaterThanOrEqual(MINUTE);
    }
  }
}

/** The sink has each mail at most once, and none that is not a step's. */
function expectMails(enrolled: readonly EnrolledContact[], journal: string): void {
  const made = enrolled.flatMap(({ steps }) => steps.flatMap(({ messageId }) => messageId ?? []));
  expect(new Set(made).size).toBe(made.length);
  const mails = readJournal(journal).flatMap((entry) => (entry.what === 'mail' ? [entry.messageId] : []));
  expect(new Set(mails).size).toBe(mails.length);
  const known = new Set(made);
  const strays = readJournal(journal).filter((entry) => entry.what === 'mail' && !known.has(entry.messageId));
  expect(strays).toEqual([]);
  // A process that dies between the fence and the first byte hands its mail over no more.
  expect(mails.length).toBeGreaterThan(made.length - KILLS * 40);
}

async function membersOf(installation: Installation, { workspaceId, steps }: Journey): Promise<number> {
  const step = steps.find(({ kind }) => kind === 'add_to_audience');
  const engine = await installation.open();
  const id = step?.kind === 'add_to_audience' ? step.audienceId : 0;
  const { contactsCount = -1 } = (await engine.stores.audiences.get(workspaceId, id)) ?? {};
  await engine.close();
  return contactsCount;
}
