import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { promises as dns } from 'node:dns';
import { changeSetting } from '../../operations/installation/change-setting';
import { BUILT_IN_FILE } from '../../domain/destinations/destination-rules';
import { dashboarded, type Visitor } from './visitor';

const PAGE = '/app/w/1/domains';
const EVIL = '<script>alert("x")</script>';

describe('the sending domains of the dashboard', () => {
  const subject = dashboarded();
  let developer: Visitor;
  let viewer: Visitor;
  beforeAll(async () => {
    const hosts = { mxHost: 'mail.example.net', spf: 'ip4:203.0.113.7' };
    await changeSetting(subject.service.stores.settings, 'dns', () => hosts);
    developer = await subject.person('dev@toko.example', { 1: 'developer' });
    viewer = await subject.person('viewer@toko.example', { 1: 'viewer' });
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** The DNS answers with these texts at every name, and with one mail host. */
  const dnsSays = (texts: (name: string) => string[]): void => {
    jest
      .spyOn(dns.Resolver.prototype, 'resolveTxt')
      .mockImplementation(async (name) => texts(name).map((one) => [one]));
    jest
      .spyOn(dns.Resolver.prototype, 'resolveMx')
      .mockImplementation(async () => [{ priority: 10, exchange: 'mail.example.net' }]);
  };
  /** Adds a domain, and answers its page. */
  const added = async (name: string): Promise<string> => {
    const { status, location } = await developer.post(`${PAGE}/add`, { name, category: 'marketing' });
    expect(status).toBe(303);
    return location ?? '';
  };
  /** The values that a page asks for, by the beginning of their names. */
  const valuesOf = async (page: string): Promise<(name: string) => string[]> => {
    const { html } = await viewer.get(page);
    const codes = [...html.matchAll(/<code>([^<]*)<\/code>/g)].map(([, text = '']) => text.replaceAll('&quot;', '"'));
    return (name) => {
      const at = codes.indexOf(name);
      const wanted = name.startsWith('bounce.') ? codes.find((text) => text.startsWith('v=spf1')) : codes[at + 1];
      return at < 0 || wanted === undefined ? [] : [wanted];
    };
  };

  it('are warmed up, and shows the plan, only where mail is paced by destination', async () => {
    const page = await added('hangat.example');
    expect((await developer.get(page)).html).not.toContain('id="warmup"');
    const { services } = subject.service.kurir;
    const rules = { ...services.config, destinations: BUILT_IN_FILE };
    const before = services.config;
    services.config = rules;
    try {
      expect((await developer.get(page)).html).toContain('Start warm-up');
      expect((await viewer.post(`${page}/warmup`, {})).status).toBe(404);
      expect((await developer.post(`${page}/warmup`, {})).status).toBe(303);
      expect((await viewer.get(page)).html).toContain('No email sent yet.');
      expect((await developer.post(`${page}/warmup`, { stop: 'on' })).status).toBe(303);
      expect((await developer.get(page)).html).toContain('Start warm-up');
    } finally {
      services.config = before;
    }
  });

  it('adds one, shows its records to copy, and activates it once the DNS has them', async () => {
    const page = await added('melati.example');
    const shown = await viewer.get(page);
    for (const text of [
      'kurir._domainkey.melati.example',
      '10 mail.example.net.',
      '_dmarc.melati.example',
      'data-copy',
    ]) {
      expect(shown.html).toContain(text);
    }
    expect(shown.html).toContain('pending DNS verification');
    expect(shown.html).toContain(`hx-get="${page}?look=1" hx-trigger="load"`);

    const asked = await valuesOf(page);
    dnsSays(() => []);
    const early = await developer.post(`${page}/activate`);
    expect(early.status).toBe(422);
    expect(early.html).toContain('Not activated');
    expect(early.html).toMatch(/class="tag bad">\s*missing/);
    expect((await viewer.get(page)).html).toContain('DNS verification failed');

    dnsSays(asked);
    const part = await viewer.get(`${page}?look=1`, { 'hx-request': 'true' });
    expect(part.html).toMatch(/^<section id="records"/);
    expect(part.html.match(/class="tag good">verified/g)).toHaveLength(4);
    expect(await developer.post(`${page}/activate`)).toMatchObject({ status: 303, location: page });
    expect((await viewer.get(PAGE)).html).toContain('melati.example');
    expect((await subject.service.stores.domains.findByName('melati.example'))?.status).toBe('active');
  });

  it('shows what was found instead, whatever it is', async () => {
    const page = await added('mawar.example');
    dnsSays(() => [`v=spf1 ${EVIL}`]);
    const { html } = await viewer.get(`${page}?look=1`);
    expect(html).toContain('&lt;script&gt;alert');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('the record is not a DKIM key');
  });

  it('shows the record to publish with what is there already, and says why in the language of the page', async () => {
    const page = await added('seruni.example');
    dnsSays((name) => [name === 'relay.example' ? 'v=spf1 -all' : 'v=spf1 include:relay.example ~all']);
    const english = (await viewer.get(`${page}?look=1`)).html;
    expect(english).toContain('ip4:203.0.113.7 is missing');
    expect(english).toContain('v=spf1 include:relay.example ip4:203.0.113.7 ~all');
    const { html } = await viewer.get(`${page}?look=1`, { 'accept-language': 'id' });
    expect(html).toContain('ip4:203.0.113.7 belum ada');
    expect(html).toContain('record ini bukan kunci DKIM');
  });

  it('activates one anyway, suspends it, and changes its type of email', async () => {
    const page = await added('kenanga.example');
    dnsSays(() => []);
    expect((await developer.post(`${page}/activate`)).html).toContain('Activate anyway');
    expect((await developer.post(`${page}/activate`, { force: 'on' })).status).toBe(303);
    const stored = () => subject.service.stores.domains.findByName('kenanga.example');
    expect((await stored())?.status).toBe('active');
    expect((await developer.post(`${page}/set`, { category: 'transactional' })).status).toBe(303);
    expect((await developer.post(`${page}/set`, { track_clicks: 'on' })).status).toBe(303);
    expect(await stored()).toMatchObject({ category: 'transactional', trackClicks: true });
    expect((await viewer.get(page)).html).toContain('for receipts, codes and password resets');
    expect((await developer.post(`${page}/suspend`)).status).toBe(303);
    expect((await stored())?.status).toBe('suspended');
    expect((await developer.post(`${page}/set`, { category: 'x' })).status).toBe(422);
  });

  it('rotates the key: made, looked for, activated; the old record stays with its date', async () => {
    const page = await added('teratai.example');
    expect((await viewer.get(page)).html).toContain('DKIM key');
    expect(await developer.post(`${page}/rotate`)).toMatchObject({ status: 303, location: page });
    const waiting = await viewer.get(page);
    expect(waiting.html).toContain('new key, not signing yet');
    expect(waiting.html).toContain(`hx-get="${page}?look=1" hx-trigger="load"`);
    const [, name = ''] = /<code>(kurir-[^<]+)<\/code>/.exec(waiting.html) ?? [];
    expect(name).toMatch(/\._domainkey\.teratai\.example$/);
    const asked = await valuesOf(page);
    dnsSays(() => []);
    const early = await developer.post(`${page}/rotate`, { activate: 'on' });
    expect(early.status).toBe(422);
    expect(early.html).toContain('the old key still signs');
    expect(early.html).toContain('Switch to the new key without');
    expect(early.html).not.toContain('Activate without');
    expect((await developer.post(`${page}/rotate`, { cancel: 'on' })).status).toBe(303);
    expect((await developer.post(`${page}/rotate`, { cancel: 'on' })).html).toContain(
      'This domain has no key that waits',
    );
    await developer.post(`${page}/rotate`);
    expect((await viewer.get(page)).html).not.toContain(name);
    dnsSays(await valuesOf(page));
    expect((await developer.post(`${page}/rotate`, { activate: 'on' })).status).toBe(303);
    const { html } = await viewer.get(page);
    expect(html).toContain('DKIM: previous key');
    expect(html).toContain('Safe to remove after');
    expect(asked('kurir._domainkey.teratai.example')).toHaveLength(1);
    expect(html).toContain('kurir._domainkey.teratai.example');
  });

  it('says what is no domain, and which is taken, beside what was written', async () => {
    const refused = await developer.post(`${PAGE}/add`, { name: EVIL, category: 'transactional' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('must be a domain name');
    expect(refused.html).not.toContain('<script>alert');
    expect(refused.html).toMatch(/value="transactional"\s+selected/);
    await added('cempaka.example');
    expect((await developer.post(`${PAGE}/add`, { name: 'cempaka.example' })).html).toContain('already belongs to');
  });

  it('lets a viewer look, and change nothing', async () => {
    const page = await added('anggrek.example');
    expect((await viewer.get(PAGE)).html).not.toContain(`${PAGE}/add`);
    const { html } = await viewer.get(page);
    for (const name of ['activate', 'suspend', 'set', 'rotate']) {
      expect(html).not.toContain(`${page}/${name}`);
      expect((await viewer.post(`${page}/${name}`, { force: 'on', category: 'marketing' })).status).toBe(404);
    }
    expect((await viewer.post(`${PAGE}/add`, { name: 'x.example' })).status).toBe(404);
  });

  it('hides the domains of another workspace, also from somebody who belongs to both', async () => {
    const page = await added('dahlia.example');
    const { stores } = subject.service;
    const other = await stores.workspaces.create({ ...(await stores.workspaces.get(1))!, name: 'Kenanga' });
    const both = await subject.person('both@toko.example', { 1: 'developer', [other.id]: 'developer' });
    const elsewhere = page.replace('/w/1/', `/w/${other.id}/`);
    for (const path of [elsewhere, `${elsewhere}?look=1`]) expect((await both.get(path)).status).toBe(404);
    for (const name of ['activate', 'suspend', 'set']) {
      expect((await both.post(`${elsewhere}/${name}`, { force: 'on', category: 'marketing' })).status).toBe(404);
    }
    expect((await stores.domains.findByName('dahlia.example'))?.status).toBe('pending_dns');
    expect((await both.get(`/app/w/${other.id}/domains`)).html).not.toContain('dahlia.example');
  });
});
