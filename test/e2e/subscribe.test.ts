import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MINUTE } from '../../lib/clock';
import type { Audience } from '../../domain/contacts/audience';
import { eventually, present } from '../contract/helpers';
import { describeOnEngines } from '../support/engines';
import { aJourney, anAudience } from '../support/marketing';
import { Running } from '../support/running';

const EMAIL = 'siti@pelanggan.test';

interface InboxMail {
  id: number;
  subject: string;
  to: string;
}

describeOnEngines('A subscription by the public form', (install) => {
  let running: Running;
  let audience: Audience;
  let origin: string;
  beforeAll(async () => {
    running = await Running.startOn(install());
    origin = new URL(running.kurir.baseUrl).origin;
    const [workspace] = await running.stores.workspaces.list();
    const workspaceId = present(workspace).id;
    const { sending_domain_id: domainId } = running.demo;
    const { audiences, journeys } = running.stores;
    audience = await audiences.create(anAudience(workspaceId, { optInMode: 'double', createdAt: running.clock.now() }));
    const mail = { kind: 'email', domainId, subject: 'Selamat datang', html: '<p>Halo</p>', text: null } as const;
    const wait = { kind: 'wait', ms: MINUTE } as const;
    const trigger = { triggerType: 'form_subscribe', audienceId: audience.id } as const;
    await journeys.create(aJourney(workspaceId, { ...trigger, steps: [mail, wait], createdAt: running.clock.now() }));
  });
  afterAll(() => running.stop());

  const inbox = async (): Promise<InboxMail[]> => {
    const response = await fetch(`${origin}/sandbox/inbox`, { headers: { accept: 'application/json' } });
    const { data } = (await response.json()) as { data: InboxMail[] };
    return data.filter(({ to }) => to === EMAIL);
  };

  const mailIn = async (subject: RegExp): Promise<InboxMail> => {
    let found: InboxMail | undefined;
    await eventually(async () => {
      found = (await inbox()).find((mail) => subject.test(mail.subject));
      expect(found).toBeDefined();
    });
    return present(found);
  };

  const membership = async (): Promise<boolean> => {
    const page = await running.stores.audiences.members(audience.workspaceId, audience.id, { offset: 0, limit: 9 });
    return (page?.items[0]?.confirmedAt ?? null) !== null;
  };

  it('is confirmed by the link in the mail, and then begins the journey with its first mail', async () => {
    const form = `${origin}/f/${audience.publicToken}`;
    const shown = await fetch(form);
    expect([shown.status, await shown.text()]).toEqual([200, expect.stringContaining('name="email"')]);
    const body = new URLSearchParams({ email: EMAIL, name: 'Siti', consent: 'true', website: '' });
    const taken = await fetch(form, { method: 'POST', body });
    expect([taken.status, await taken.text()]).toEqual([200, expect.stringContaining('Satu langkah lagi')]);

    const asked = await mailIn(/onfirmasi/);
    const html = await (await fetch(`${origin}/sandbox/inbox/${asked.id}/html`)).text();
    const link = new URL(/https?:[^"'\s<>]+\/c\/[\w-]+/.exec(html)?.[0] ?? 'https://no.link');
    const url = `${origin}${link.pathname}`;
    const page = await fetch(url);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<button')]);
    expect(await membership()).toBe(false);
    expect(await running.stores.dueTasks.nextDue('journey-step')).toBeNull();

    expect((await fetch(url, { method: 'POST' })).status).toBe(200);
    expect(await membership()).toBe(true);
    running.clock.advance(MINUTE);
    await mailIn(/^Selamat datang$/);
    expect(await inbox()).toHaveLength(2);
  });
});
