import { beforeAll, describe, expect, it } from '@jest/globals';
import { JOURNEY_DRAFTS } from '../../../operations/journeys/keep-draft';
import type { JourneyStep } from '../../../domain/journeys/journey';
import { DAY } from '../../../lib/clock';
import { aWorkspace } from '../../support/builders';
import { aJourney } from '../../support/marketing';
import { dashboarded, type Shown, type Visitor } from '../visitor';

const HOSTILE = '<script>alert(1)</script>';
const mail = (subject: string): JourneyStep => ({
  kind: 'email',
  domainId: 1,
  subject,
  html: '<p>Halo</p>',
  text: null,
});

describe('the dry run of a journey', () => {
  const subject = dashboarded();
  const at = '/app/w/1/journeys';
  let viewer: Visitor;
  let id: number;
  beforeAll(async () => {
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    const steps: JourneyStep[] = [
      mail(`Halo {{email}} ${HOSTILE}`),
      { kind: 'wait', ms: 2 * DAY },
      { kind: 'branch', on: { kind: 'opened', step: 1 }, then: [mail('Terima kasih')], else: [mail('Sudah lihat?')] },
    ];
    const made = aJourney(1, { steps, status: 'draft', goal: { event: 'conversion', ends: true } });
    id = (await subject.service.stores.journeys.create(made)).id;
  });
  const text = ({ html }: Shown): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const run = (query = ''): Promise<Shown> => viewer.get(`${at}/${id}/dry-run${query}`);

  it('shows day by day what a made-up contact would get, before the journey is switched on', async () => {
    const shown = await run();
    expect(shown.status).toBe(200);
    expect(shown.html).not.toContain('<script>alert');
    expect(text(shown)).toMatch(/Day 1 · .* Entered .* 1 · Email Halo contoh@example.com .* Day 3 · /);
    expect(text(shown)).toMatch(
      /3 · Condition Opened the email of step 1\? no .* 5 · Email Sudah lihat\? .* Ended: completed/,
    );
    expect((await subject.service.stores.journeys.get(1, id))?.status).toBe('draft');
  });

  it('goes the other way for somebody who opens, and ends with the goal for somebody who buys', async () => {
    const opens = text(await run('?assume=opens&contacts=siti@example.com,budi@example.com'));
    expect(opens.match(/Opens the email of step 1/g)).toHaveLength(2);
    expect(opens.match(/step 1\? yes .*? 4 · Email Terima kasih/g)).toHaveLength(2);
    expect(text(await run('?assume=buys'))).toMatch(/Buys after the email of step 1 .* Ended: goal reached/);
  });

  it('walks through the draft of the next version, and shows its faults', async () => {
    const { records } = subject.service.stores;
    const body = {
      text: 'name: x\ntrigger: api\nsteps: [{type: wait, for: 7d}]\n',
      changedAt: 1,
      changedBy: 'a',
      base: 1,
    };
    const entry = (await records.add(JOURNEY_DRAFTS, { id: String(id), workspaceId: 1, body }, 1))!;
    expect(text(await run())).toContain('Day 8');
    expect(text(await run('?which=now'))).toContain('Sudah lihat?');
    await records.replace(JOURNEY_DRAFTS, entry, { body: { ...body, text: 'name: x\n' } }, 1);
    expect(text(await run())).toMatch(/Line 1: The trigger field is required/);
    await records.take(JOURNEY_DRAFTS, String(id), 1);
  });

  it('says what is no address, who would not enter, and keeps what was asked', async () => {
    const wrong = await run(`?contacts=${encodeURIComponent(`"${HOSTILE}`)}&assume=clicks`);
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('must be an email address');
    expect(wrong.html).not.toContain('<script>alert');
    expect(wrong.html).toMatch(/<option value="clicks"\s+selected/);
    const addressHash = subject.service.kurir.services.keyring.hashAddress('blokir@example.com');
    await subject.service.stores.suppressions.add({
      workspaceId: 1,
      addressHash,
      reason: 'manual',
      messageId: null,
      createdAt: 1,
    });
    expect(text(await run('?contacts=blokir@example.com'))).toContain('would not enter suppressed');
    expect((await run('?assume=dances')).status).toBe(422);
    expect((await run(`?contacts=${Array.from({ length: 21 }, (_, n) => `a${n}@example.com`).join(',')}`)).status).toBe(
      422,
    );
  });

  it('knows no journey of another workspace', async () => {
    const other = await subject.service.stores.workspaces.create(aWorkspace());
    const foreign = await subject.service.stores.journeys.create(aJourney(other.id));
    const both = await subject.person('both@toko.example', { 1: 'viewer', [other.id]: 'viewer' });
    expect((await both.get(`${at}/${foreign.id}/dry-run`)).status).toBe(404);
    expect((await viewer.get(`/app/w/${other.id}/journeys/${foreign.id}/dry-run`)).status).toBe(404);
  });
});
