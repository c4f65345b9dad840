import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Journey } from '../../../domain/journeys/journey';
import { aWorkspace } from '../../support/builders';
import { aJourney, anAudience } from '../../support/marketing';
import { dashboarded, type Shown, type Visitor } from '../visitor';

const AT = '/app/w/1/journeys';
const HOSTILE = '</textarea><script>alert(1)</script> "quoted"';

describe('the editor of journeys', () => {
  const subject = dashboarded();
  let editor: Visitor;
  let viewer: Visitor;
  let domain: string;
  beforeAll(async () => {
    editor = await subject.person('editor@toko.example', { 1: 'editor' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
    domain = (await subject.service.stores.domains.list(1))[0]!.domain;
  });
  const stored = async (id: number): Promise<Journey> => (await subject.service.stores.journeys.get(1, id))!;
  const newest = async (): Promise<number> => (await subject.service.stores.journeys.list(1)).at(-1)!.id;
  const revisionOf = ({ html }: Shown): string => /name="revision" value="(\d+)"/.exec(html)?.[1] ?? '0';
  const text = ({ html }: Shown): string => html.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  const create = (more: Record<string, string> = {}): Promise<Shown> =>
    editor.post(`${AT}/new`, {
      name: HOSTILE,
      trigger: 'api',
      audience: '',
      goal: 'click',
      ends: 'on',
      domain,
      subject: HOSTILE,
      html: `<p>${HOSTILE}</p>`,
      text: '',
      ...more,
    });
  /** Sends a form of the editor with the revision that it was shown with. */
  const send = async (id: number, what: string, fields: Record<string, string>): Promise<Shown> => {
    const page = await editor.get(`${AT}/${id}/edit/step?after=1&type=webhook`);
    return editor.post(`${AT}/${id}/edit/${what}`, { revision: revisionOf(page), ...fields });
  };

  it('makes a journey with a wait and a question, step by step, and starts it', async () => {
    const made = await create();
    const id = await newest();
    expect(made).toMatchObject({ status: 303, location: `${AT}/${id}/edit` });
    expect((await send(id, 'step', { type: 'wait', after: '1', for: '2', unit: 'd' })).status).toBe(303);
    expect((await send(id, 'step', { type: 'branch', after: '2', if: 'opened 1' })).status).toBe(303);
    const open = await editor.get(`${AT}/${id}/edit`);
    expect(text(open)).toContain('A branch must have steps');
    expect(open.html).not.toContain('/edit/publish');
    const mail = { domain, subject: 'Sudah lihat?', html: '<p>Halo</p>', text: '' };
    expect((await send(id, 'step', { type: 'email', in: '3', way: 'else', ...mail })).status).toBe(303);
    expect((await stored(id)).steps).toHaveLength(1);
    expect(text(await editor.get(`${AT}/${id}`))).toContain('unpublished changes');
    // It loses nothing, so it asks nothing: its draft becomes the version.
    expect((await send(id, 'publish', { _sure: '' })).location).toBe(`${AT}/${id}`);
    expect(await stored(id)).toMatchObject({
      name: HOSTILE,
      version: 2,
      goal: { event: 'click', ends: true },
      steps: [
        { kind: 'email', subject: HOSTILE, html: `<p>${HOSTILE}</p>`, text: null },
        { kind: 'wait', ms: 172_800_000 },
        {
          kind: 'branch',
          on: { kind: 'opened', step: 1 },
          then: [],
          else: [{ kind: 'email', subject: 'Sudah lihat?' }],
        },
      ],
    });
    expect((await editor.post(`${AT}/${id}/activate`)).status).toBe(303);
    const versions = await viewer.get(`${AT}/${id}/versions`);
    expect(text(versions)).toMatch(
      /Version 2 .* added 2 · Wait 2 days added 3 · Condition Opened the email of step 1\?/,
    );
  });

  it('changes, moves and removes steps; a question still means its mail', async () => {
    const id = await newest();
    const page = await editor.get(`${AT}/${id}/edit/step?step=2`);
    expect(page.html).toMatch(/name="for"[^>]*value="2"/);
    await send(id, 'step', { type: 'wait', step: '2', for: '36', unit: 'h' });
    await send(id, 'move', { do: 'up', step: '2' });
    expect(text(await editor.get(`${AT}/${id}/edit`))).toMatch(
      /1 · Wait 1 day 12 hours .* Opened the email of step 2\?/,
    );
    await send(id, 'move', { do: 'remove', step: '1' });
    expect(text(await editor.get(`${AT}/${id}/edit`))).toContain('Opened the email of step 1?');
    expect((await stored(id)).version).toBe(2);
    expect((await editor.post(`${AT}/${id}/edit/discard`)).location).toBe(`${AT}/${id}`);
    expect(text(await editor.get(`${AT}/${id}/edit`))).toContain('2 · Wait 2 days');
  });

  it('shows what is wrong beside its field, keeps what was written, and stores nothing', async () => {
    const id = await newest();
    const wait = await send(id, 'step', { type: 'wait', after: '2', for: '400', unit: 'd' });
    expect(wait.status).toBe(422);
    expect(wait.html).toContain('id="for-fault"');
    expect(wait.html).toContain('value="400"');
    const mail = await send(id, 'step', { type: 'email', step: '1', domain, subject: '', html: HOSTILE, text: '' });
    expect(mail.status).toBe(422);
    expect(mail.html).toContain('id="subject-fault"');
    expect(mail.html).not.toContain('<script>alert');
    expect((await send(id, 'step', { type: 'webhook', after: '0', url: 'ftp://x' })).html).toContain('id="url-fault"');
    const made = await create({ name: '', trigger: 'audience_join' });
    expect(made.status).toBe(422);
    expect(made.html).toContain('id="name-fault"');
    expect((await create({ trigger: 'audience_join' })).html).toContain('id="audience-fault"');
    expect((await create({ subject: '' })).html).toContain('id="subject-fault"');
    expect(await newest()).toBe(id);
    expect(text(await editor.get(`${AT}/${id}/edit`))).toContain('No changes yet');
  });

  it('does not write over what somebody else changed meanwhile', async () => {
    const id = await newest();
    await send(id, 'step', { type: 'wait', after: '1', for: '5', unit: 'm' });
    for (const [what, fields] of [
      ['step', { type: 'wait', after: '1', for: '9', unit: 'm' }],
      ['move', { do: 'remove', step: '1' }],
      ['publish', {}],
      ['text', { file: 'name: x' }],
      ['settings', { name: 'x', trigger: 'api', audience: '', goal: 'click', ends: 'off' }],
    ] as const) {
      const late = await send(id, what, { ...fields, revision: '0' });
      expect(late.status).toBe(422);
      expect(text(late)).toMatch(/changed th(e|is) draft/);
    }
    await editor.post(`${AT}/${id}/edit/discard`);
  });

  it('changes name, goal and audience in the draft', async () => {
    const id = await newest();
    const audience = await subject.service.stores.audiences.create(anAudience(1));
    const fields = { name: 'Baru', trigger: 'audience_join', goal: '', ends: 'off' };
    const refused = await send(id, 'settings', { ...fields, audience: '' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('value="Baru"');
    expect((await send(id, 'settings', { ...fields, audience: String(audience.id) })).status).toBe(303);
    expect(text(await editor.get(`${AT}/${id}/edit`))).toContain(`Joined the audience: ${audience.name}`);
    expect((await send(id, 'publish', {})).status).toBe(303);
    expect(await stored(id)).toMatchObject({ name: 'Baru', goal: null, audienceId: audience.id });
  });

  it('takes a journey as text, and shows each fault with its line; what has faults is kept in the draft', async () => {
    const start = await editor.get(`${AT}/new/text`);
    expect(start.html).toContain('type: email');
    const faulty = 'name: Teks\ntrigger: api\nsteps:\n  - type: wait\n    for: 1\n';
    const refused = await editor.post(`${AT}/new/text`, { file: faulty });
    expect(refused.status).toBe(422);
    expect(text(refused)).toMatch(/Line 5: Step 1: The for field must be a duration.* for: 1 /);
    expect(refused.html).toContain(faulty.trim());
    const made = await editor.post(`${AT}/new/text`, { file: faulty.replace('for: 1', 'for: 1d') });
    expect(made.html).toMatch(/<pre>[A-Za-z0-9]{40}<\/pre>/);
    const id = await newest();
    const kept = await send(id, 'text', { file: faulty });
    expect(kept.status).toBe(422);
    expect((await editor.get(`${AT}/${id}/edit/text`)).html).toContain(faulty.trim());
    expect(text(await editor.get(`${AT}/${id}/edit`))).toContain('The for field must be a duration');
    await send(id, 'text', { file: 'steps: [' });
    const broken = await editor.get(`${AT}/${id}/edit`);
    expect(text(broken)).toContain('This draft can only be fixed as YAML.');
    expect((await editor.get(`${AT}/${id}/edit/step?step=1`)).status).toBe(404);
    expect((await send(id, 'publish', {})).status).toBe(422);
    expect((await stored(id)).steps).toEqual([{ kind: 'wait', ms: 86_400_000 }]);
  });

  it('has a form for every kind of step, and none for steps that are not there', async () => {
    const id = await newest();
    await editor.post(`${AT}/${id}/edit/discard`);
    const kinds = await editor.get(`${AT}/${id}/edit/step?after=1`);
    for (const type of ['email', 'wait', 'branch', 'webhook', 'add_to_audience']) {
      expect(kinds.html).toContain(`after=1&amp;type=${type}`);
      expect((await editor.get(`${AT}/${id}/edit/step?after=1&type=${type}`)).status).toBe(200);
    }
    for (const query of ['step=9', 'after=9&type=wait', 'in=1&way=then&type=wait', 'step=x']) {
      expect((await editor.get(`${AT}/${id}/edit/step?${query}`)).status).toBe(404);
    }
    expect((await send(id, 'move', { do: 'explode', step: '1' })).status).toBe(404);
    expect((await send(id, 'step', { type: 'email', step: '1' })).status).toBe(404);
  });

  const PAGES = ['edit', 'edit/step?step=1', 'edit/settings', 'edit/text'];
  const FORMS = ['edit/step', 'edit/move', 'edit/settings', 'edit/text', 'edit/publish', 'edit/discard'];

  it('is not for viewers', async () => {
    const id = await newest();
    expect((await viewer.get(AT)).html).not.toContain('/journeys/new');
    expect((await viewer.get(`${AT}/${id}`)).html).not.toContain('/edit');
    for (const path of ['new', 'new/text', ...PAGES.map((one) => `${id}/${one}`)]) {
      expect((await viewer.get(`${AT}/${path}`)).status).toBe(404);
    }
    for (const path of ['new', 'new/text', ...FORMS.map((one) => `${id}/${one}`)]) {
      expect((await viewer.post(`${AT}/${path}`, { file: 'name: x' })).status).toBe(404);
    }
  });

  it('knows no journey of another workspace', async () => {
    const { stores } = subject.service;
    const other = await stores.workspaces.create(aWorkspace());
    const { id, version } = await stores.journeys.create(aJourney(other.id));
    const both = await subject.person('both@toko.example', { 1: 'editor', [other.id]: 'editor' });
    for (const path of [...PAGES, 'versions']) expect((await both.get(`${AT}/${id}/${path}`)).status).toBe(404);
    for (const path of FORMS) {
      const fields = { file: 'name: x', revision: '0', type: 'wait', step: '1', do: 'up', for: '1', unit: 'd' };
      expect((await both.post(`${AT}/${id}/${path}`, fields)).status).toBe(404);
    }
    expect((await stores.journeys.get(other.id, id))?.version).toBe(version);
  });
});
