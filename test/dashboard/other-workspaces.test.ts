import { beforeAll, describe, expect, it } from '@jest/globals';
import { SCREENS } from '../../dashboard/screens';
import type { Screen } from '../../dashboard/kit/screen';
import { NOTHING, richWorkspace, type Thing, type Things } from '../support/rich-workspace';
import { idsOf, partsOf, pathOf, thingAt } from './screen-paths';
import { dashboarded, type Shown, type Visitor } from './visitor';

/** Values of every form, so that each gets as far as looking up what its address names. */
const FIELDS = {
  at: '2999-01-01T00:00',
  email: 'rina@lain.example',
  consent: 'on',
  address: 'rina@lain.example',
  name: 'baru',
  subject: 'Hai',
  html: '<p>Hai</p>',
  url: 'https://93.184.216.34/hook',
  events: 'bounce',
  category: 'marketing',
  opt_in: 'single',
  file: '{}',
  revision: '1',
};

/** Fields of forms that name something of the workspace, by the path. */
const FORM_THINGS: readonly (readonly [path: string, field: string, thing: Thing, fields: Record<string, string>])[] = [
  ['/campaigns/new', 'audience', 'audience', { subject: 'Hai', html: '<p>Hai</p>' }],
  ['/campaigns/new', 'domain', 'domain', { subject: 'Hai', html: '<p>Hai</p>' }],
  ['/campaigns/preview', 'domain', 'domain', { subject: 'Hai', html: '<p>Hai</p>', mode: 'html' }],
  [
    '/contacts/import/start',
    'audience',
    'audience',
    { filename: 'a.csv', content: 'ZW1haWwKYUB4LmV4YW1wbGUK', email: 'email', consent: 'on' },
  ],
  ['/settings/members/role', 'email', 'user', { role: 'owner' }],
  ['/settings/members/remove', 'email', 'user', {}],
  ['/settings/admin-keys/revoke', 'key', 'admin_key', {}],
];

describe('the screens of another workspace', () => {
  const subject = dashboarded();
  let foreign: Things;
  let own: Things;
  let stranger: Visitor;
  let both: Visitor;
  let webhook: unknown;
  beforeAll(async () => {
    foreign = await richWorkspace(subject.service, 'rahasia');
    own = await richWorkspace(subject.service, 'sendiri');
    webhook = await subject.service.stores.webhooks.get(Number(foreign.webhook));
    stranger = await subject.person('own@toko.example', { [Number(own.workspace)]: 'owner' });
    both = await subject.person('both@toko.example', {
      [Number(own.workspace)]: 'owner',
      [Number(foreign.workspace)]: 'owner',
    });
  });

  const IN_WORKSPACES = SCREENS.filter(({ of }) => of === 'workspace');
  const ask = (
    by: Visitor,
    { method }: Pick<Screen, 'method'>,
    path: string,
    fields: Record<string, string> = {
      ...FIELDS,
      audience: own.audience,
      domain: own.domain,
      ...(path.includes('/webhooks/') && { from: '2026-01-01T00:00' }),
    },
  ): Promise<Shown> => (method === 'GET' ? by.get(path) : by.post(path, fields));
  /** The page without what was asked for: the ids of both that are compared stand in neither. */
  const plain = ({ status, html, location }: Shown, ...ids: readonly string[]) => {
    const without = (text: string): string => ids.reduce((said, id) => said.replaceAll(id, '?'), text);
    return {
      status,
      location: location && without(location),
      html: without(html.replace(/name="_csrf" value="[^"]*"|"X-CSRF-Token":\s*"[^"]*"/g, '')),
    };
  };

  // spec: docs/contract.md#dashboard-operations: screens of another workspace are answered as those of none
  it('are answered as those of no workspace, whatever the path', async () => {
    for (const screen of IN_WORKSPACES) {
      const ids = idsOf(screen, foreign);
      const got = await ask(stranger, screen, pathOf(foreign.workspace, screen, ids));
      const expected = await ask(stranger, screen, pathOf('987654', screen, ids));
      expect([screen.path, got.status]).toEqual([screen.path, 404]);
      const paths = [`/w/${foreign.workspace}`, '/w/987654'];
      expect(plain(got, ...paths)).toEqual(plain(expected, ...paths));
    }
  });

  it('do not show their things under the own address, also to somebody who belongs to both', async () => {
    const named = IN_WORKSPACES.filter(({ path }) => path.includes(':'));
    expect(named.length).toBeGreaterThan(70);
    const faults: unknown[] = [];
    const places = named.flatMap((screen) => partsOf(screen.path).map((part) => ({ screen, part })));
    for (const { screen, part } of places) {
      const ids = [foreign, NOTHING].map((of) => of[thingAt(screen, part)]);
      const asked = (by: Visitor, id: string): Promise<Shown> =>
        ask(by, screen, pathOf(own.workspace, screen, { ...idsOf(screen, own), [part]: id }));
      for (const by of [stranger, both]) {
        const [got, expected] = [await asked(by, ids[0]!), await asked(by, ids[1]!)];
        // A frame shows why there is nothing to preview, as a document.
        // Whether the endpoint is switched on is looked at before the delivery.
        const isRetry = screen.path.endsWith('/retry') && part === 'delivery';
        const status = screen.path.endsWith('/preview') ? 200 : isRetry ? 422 : 404;
        if (got.status !== status) faults.push([screen.method, screen.path, part, got.status]);
        expect(plain(got, ...ids)).toEqual(plain(expected, ...ids));
      }
    }
    expect(faults).toEqual([]);
  });

  it.each(FORM_THINGS)('take nothing of theirs: %s, %s', async (path, field, thing, fields) => {
    const ids = [foreign[thing], NOTHING[thing]];
    const tried = async (value: string) =>
      plain(await stranger.post(`/app/w/${own.workspace}${path}`, { ...fields, [field]: value }), ...ids);
    const got = await tried(ids[0]!);
    // The frame of the preview shows the fault as a document.
    expect(got.status).toBe(path.endsWith('preview') ? 200 : 422);
    expect(got.html).not.toContain('rahasia');
    expect(got).toEqual(await tried(ids[1]!));
  });

  it('have been changed by none of it', async () => {
    const { stores } = subject.service;
    expect(await stores.journeys.list(Number(foreign.workspace))).toMatchObject([
      { name: 'jalan rahasia', status: 'draft' },
    ]);
    expect(await stores.campaigns.list(Number(foreign.workspace))).toMatchObject([
      { subject: 'promo rahasia', status: 'draft' },
    ]);
    expect(await stores.domains.get(Number(foreign.domain))).toMatchObject({ status: 'active', category: 'marketing' });
    expect(await stores.webhooks.get(Number(foreign.webhook))).toEqual(webhook);
    expect(await stores.templates.list(Number(foreign.workspace))).toHaveLength(1);
    expect((await stores.contacts.list(Number(foreign.workspace), { offset: 0, limit: 9 })).total).toBe(1);
  });

  it('are there under their own address', async () => {
    for (const screen of IN_WORKSPACES.filter(({ method, path }) => method === 'GET' && !path.includes('imports/'))) {
      const { status } = await stranger.get(pathOf(own.workspace, screen, idsOf(screen, own)));
      // The contact is not on its way through the journey; what is created anew begins from no other address.
      expect([screen.path, status]).toEqual([screen.path, screen.path.endsWith(':contact') ? 404 : 200]);
    }
  });

  it('end at once for a member who is taken out, and shrink with the role', async () => {
    const member = await subject.person('baru@toko.example', { [Number(own.workspace)]: 'owner' });
    const change = (path: string, fields: Record<string, string>) =>
      stranger.post(`/app/w/${own.workspace}/settings/members/${path}`, { email: 'baru@toko.example', ...fields });
    const look = async (path: string) => (await member.get(`/app/w/${own.workspace}${path}`)).status;
    expect(await look('/settings/members')).toBe(200);
    expect((await change('role', { role: 'viewer' })).status).toBe(303);
    expect([await look('/settings/members'), await look('/webhooks'), await look('/messages')]).toEqual([
      404, 404, 200,
    ]);
    expect((await change('remove', {})).status).toBe(303);
    expect([await look('/messages'), await look('')]).toEqual([404, 404]);
    const gone = await member.get(`/app/w/${own.workspace}`);
    const ids = [`/w/${own.workspace}`, '/w/987654'];
    expect(plain(gone, ...ids)).toEqual(plain(await member.get('/app/w/987654'), ...ids));
  });
});
