import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { minuteOf } from '../../../domain/journeys/enrollment';
import type { Journey, JourneyStep } from '../../../domain/journeys/journey';
import { messageLinks } from '../../../domain/messages/message-tokens';
import { accessOf } from '../../../domain/people/access';
import { DAY, HOUR, MINUTE } from '../../../lib/clock';
import { findOperation } from '../../../operations/catalogue';
import { performFor } from '../../../operations/perform';
import type { EnrolledContact } from '../../../stores/ports/journey-runs';
import { aJourney } from '../../support/marketing';
import { Running } from '../../support/running';

const AGENT = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };

const mail = (subject: string, domainId = 1): JourneyStep => ({
  kind: 'email',
  domainId,
  subject,
  text: null,
  html: '<p>Halo <a href="https://toko.example/">toko</a></p>',
});
const wait = (ms: number): JourneyStep => ({ kind: 'wait', ms });
const join: JourneyStep = { kind: 'add_to_audience', audienceId: 99 };

/** Every kind of step; both questions right behind a mail, and with a wait between; a sender that is gone. */
const STEPS: JourneyStep[] = [
  mail('Halo {{nama|Kak}}'),
  { kind: 'branch', on: { kind: 'opened', step: 1 }, then: [join], else: [wait(90 * MINUTE)] },
  { kind: 'branch', on: { kind: 'clicked', step: 1 }, then: [mail('Terima kasih')], else: [mail('?'), wait(DAY)] },
  { kind: 'branch', on: { kind: 'opened', step: 7 }, then: [], else: [mail('Tidak ada', 999)] },
  { kind: 'webhook', url: 'https://127.0.0.1:9/hook' },
  wait(2 * DAY),
  { kind: 'branch', on: { kind: 'goal' }, then: [wait(HOUR)], else: [join] },
];

let service: Running;
beforeAll(async () => {
  service = await Running.start();
});
afterAll(() => service.stop());

type Path = Readonly<Record<'status' | 'reason' | 'ended_at' | 'refused', string | null>> & {
  email: string;
  steps: { step: number; at: string; outcome: string; reason: string | null; subject?: string }[];
};
interface Answer {
  ok: boolean;
  errors: object[];
  paths: Path[];
}
async function dryRun(journey: Journey, more: object): Promise<Answer> {
  const access = accessOf({ everywhere: 'viewer', workspaces: new Map() });
  const operation = (await findOperation('journey.dry-run'))!;
  const input = { workspace: '1', journey: String(journey.id), ...more };
  const done = await performFor(service.kurir.services, { actor: 'test', access }, operation, input);
  if (!done.ok) throw new Error(done.fault.message);
  return done.json as unknown as Answer;
}

/** Opens the mail, or clicks its link, as a browser would. */
async function react(message: string, what: 'open' | 'click'): Promise<void> {
  const { keyring } = service.kurir.services;
  const links = messageLinks(keyring, service.kurir.services.publicUrl(), message);
  await fetch(what === 'open' ? links.open : `${links.clicks}0`, { headers: AGENT, redirect: 'manual' });
}

const enrolled = async (journey: Journey): Promise<EnrolledContact> =>
  (await service.stores.journeyRuns.list(journey, 0, 1))[0]!;

/** Lets a contact go through a journey for real, with the clock of the sandbox; it reacts to each mail in time. */
async function runForReal(journey: Journey, email: string, what: 'open' | 'click' | null, after: number) {
  await service.api.request('POST', `/journeys/${journey.id}/enroll`, { email, consent: true });
  const reacted = new Set<string>();
  for (let n = 0; n < 40; n += 1) {
    const one = await enrolled(journey);
    const mails = one.steps.filter(({ messageId }) => messageId !== null && !reacted.has(messageId));
    const next = what === null ? undefined : mails[0];
    if (one.status !== 'active') break;
    const at = Math.min(next ? next.at + after : Infinity, one.dueAt ?? Infinity);
    if (at > service.clock.now()) await service.advance(at - service.clock.now());
    if (next && service.clock.now() >= next.at + after) {
      await service.untilStatus(next.messageId!, 'delivered');
      await react(next.messageId!, what!);
      reacted.add(next.messageId!);
    }
    await service.advance(10_000);
  }
  return enrolled(journey);
}

describe('kurir journey dry-run', () => {
  it.each([
    ['nothing', null, 'conversion'],
    ['opens', 'open', 'conversion'],
    ['clicks', 'click', 'conversion'],
    ['opens', 'open', 'open'],
    ['clicks', 'click', 'click'],
  ] as const)('goes the way of a real contact that %s (%s; goal: %s)', async (assume, what, event) => {
    const goal = { event, ends: event === 'open' };
    const journey = await service.stores.journeys.create(aJourney(1, { steps: STEPS, goal }));
    const email = `${assume}-${event}@example.test`;
    const real = await runForReal(journey, email, what, HOUR);
    const from = new Date(real.enrolledAt).toISOString();
    const { paths } = await dryRun(journey, { contact: [email], assume, after: '1h', from });
    expect(paths).toHaveLength(1);
    const [dry] = paths;
    expect(real.status).not.toBe('active');
    expect(real.steps.some(({ outcome }) => outcome === 'then')).toBe(what !== null && event !== 'open');
    expect(real.reason).toBe(event === 'open' ? 'goal' : null);
    expect(dry?.steps.map((one) => [one.step, one.outcome, one.reason, minuteOf(Date.parse(one.at))])).toEqual(
      real.steps.map((one) => [one.step, one.outcome, one.reason, minuteOf(one.at)]),
    );
    expect(dry).toMatchObject({ email, status: real.status, reason: real.reason });
    expect(minuteOf(Date.parse(dry?.ended_at ?? ''))).toBe(minuteOf(real.endedAt!));
  });

  it('sends nothing and stores nothing; a made-up contact sees the fallbacks, a known one its name', async () => {
    const { journeys, journeyRuns, contacts } = service.stores;
    const journey = await journeys.create(aJourney(1, { steps: STEPS, status: 'draft' }));
    await service.api.request('POST', '/contacts', { email: 'sari@example.test', name: 'Sari' });
    const { paths } = await dryRun(journey, { contact: ['sari@example.test', 'baru@example.test'] });
    expect(paths.map(({ steps }) => steps[0]?.subject)).toEqual(
      [(await contacts.find(1, 'sari@example.test'))?.name ?? 'Kak', 'Kak'].map((name) => `Halo ${name}`),
    );
    expect((await dryRun(journey, {})).paths).toMatchObject([{ email: 'contoh@example.com', status: 'completed' }]);
    expect(await contacts.find(1, 'baru@example.test')).toBeNull();
    expect(await journeyRuns.count(journey)).toEqual({ active: 0, completed: 0, left: 0 });
  });

  it('says who would not enter, and walks through a file instead, whose faults it names', async () => {
    const { suppressions } = service.stores;
    const journey = await service.stores.journeys.create(aJourney(1, { steps: STEPS }));
    const addressHash = service.kurir.services.keyring.hashAddress('blokir@example.test');
    await suppressions.add({ workspaceId: 1, addressHash, reason: 'manual', messageId: null, createdAt: 1 });
    const file = 'name: x\ntrigger: api\nsteps: [{type: wait, for: 1d}]\n';
    const { paths } = await dryRun(journey, { contact: ['blokir@example.test', 'a@example.test'], file });
    expect(paths).toMatchObject([
      { refused: 'suppressed', steps: [], status: null },
      { refused: null, steps: [{ step: 1, for: '1d' }], status: 'completed' },
    ]);
    expect(await dryRun(journey, { file: 'name: x' })).toMatchObject({ ok: false, errors: [{ line: 1 }, { line: 1 }] });
  });
});
