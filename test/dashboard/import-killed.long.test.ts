import { afterAll, expect, it } from '@jest/globals';
import { AdvancingClock } from '../../app/core/advancing-clock';
import { NEW_USER, setMembership } from '../../commands/people/people';
import { beginSession } from '../../commands/people/sessions';
import { eventually } from '../contract/helpers';
import { temporaryInstallation } from '../support/running';
import { Service } from '../support/service';
import { Visitor } from './visitor';

const EMAIL = 'editor@toko.example';
const LINES = 60_000;
const installation = temporaryInstallation();
let service: Service | null = null;
afterAll(async () => {
  await service?.kill();
  await installation.remove();
});

/** A session of an editor, written beside the program. */
async function session(): Promise<string> {
  const clock = new AdvancingClock();
  const engine = await installation.open(clock);
  const people = { directory: engine.stores.directory, clock };
  const body = { ...NEW_USER, createdAt: clock.now() };
  const entry = { kind: 'user', id: EMAIL, user: EMAIL, workspaceId: null, expiresAt: null, body } as const;
  await people.directory.add(entry, clock.now());
  await setMembership(people, { user: EMAIL, workspaceId: 1, role: 'editor' });
  const token = await beginSession(people, EMAIL, { by: 'password', address: '127.0.0.1', agent: 'test' });
  await engine.close();
  return token;
}

async function start(token: string): Promise<Visitor> {
  service = await Service.start(installation, {});
  const visitor = new Visitor(service.baseUrl.replace(/\/v1$/, ''));
  visitor.cookies.set('kurir_session', token);
  return visitor;
}

it('an import whose process is killed is found by the next one, which says at which line it stopped', async () => {
  service = await Service.start(installation, {});
  const token = await session();
  await service.kill();
  const before = await start(token);
  const lines = Array.from({ length: LINES }, (_, n) => `orang${n}@x.example\n`).join('');
  const content = Buffer.from(`email\n${lines}`).toString('base64');
  const fields = { filename: 'kontak.csv', content, audience: '', email: 'email', consent: 'on' };
  const { location } = await before.upload('/app/w/1/contacts/import/start', fields);
  // Until it has said how far it is.
  await eventually(async () => expect((await before.get(location!)).html).toMatch(/progress [^>]*value="[1-9]/));
  await service.kill();
  const after = await start(token);
  expect((await after.get(location!)).html).toContain('Importing kontak.csv');
  const { html } = await eventually(async () => {
    const shown = await after.get(location!);
    expect(shown.html).toContain('The import of kontak.csv stopped');
    return shown;
  });
  const [, line = ''] = /It stopped at line ([\d,]+),/.exec(html) ?? [];
  const stopped = Number(line.replaceAll(',', ''));
  expect(stopped).toBeGreaterThan(1);
  expect(stopped).toBeLessThan(LINES);
}, 170_000);
