import { afterAll, expect, it } from '@jest/globals';
import { AdvancingClock } from '../../../lib/advancing-clock';
import { USERS, NEW_USER, setMembership } from '../../../operations/people/people';
import { beginSession } from '../../../operations/people/sessions';
import { clusterInstallation } from '../../../proof/crash/cluster-installation';
import type { Installation } from '../../../proof/crash/installation';
import { eventually } from '../../contract/helpers';
import { describeOnCluster, uniqueName } from '../../support/real-services';
import { temporaryInstallation } from '../../support/running';
import { kurir, readDemo, Service } from '../../support/service';
import { Visitor } from '../visitor';

const EMAIL = 'editor@toko.example';
// Many more than are imported before its page is first asked for, on a machine of any speed; the file may have 10 MB.
const LINES = 400_000;
const services: Service[] = [];
const installations: Installation[] = [];
afterAll(async () => {
  for (const service of services) await service.kill();
  for (const installation of installations) await installation.remove();
});

async function start(installation: Installation, env: Record<string, string> = {}): Promise<Service> {
  const service = await Service.start(installation, env);
  services.push(service);
  return service;
}

/** A session of an editor, written beside the program. */
async function session(installation: Installation): Promise<string> {
  const clock = new AdvancingClock();
  const engine = await installation.open(clock);
  const people = { records: engine.stores.records, clock };
  const body = { ...NEW_USER, createdAt: clock.now() };
  await people.records.add(USERS, { id: EMAIL, user: EMAIL, body }, clock.now());
  await setMembership(people, { user: EMAIL, workspaceId: 1, role: 'editor' });
  const token = await beginSession(people, EMAIL, { by: 'password', address: '127.0.0.1', agent: 'test' });
  await engine.close();
  return token;
}

function visitorOf({ baseUrl }: Service, token: string): Visitor {
  const visitor = new Visitor(baseUrl.replace(/\/v1$/, ''));
  visitor.cookies.set('kurir_session', token);
  return visitor;
}

/** Begins an import of many lines, and returns its page once it has said how far it is. */
async function beginImport(visitor: Visitor, watching = visitor): Promise<string> {
  const lines = Array.from({ length: LINES }, (_, n) => `orang${n}@x.example\n`).join('');
  const content = Buffer.from(`email\n${lines}`).toString('base64');
  const fields = { filename: 'kontak.csv', content, audience: '', email: 'email', consent: 'on' };
  const { location } = await visitor.upload('/app/w/1/contacts/import/start', fields);
  await eventually(async () => expect((await watching.get(location!)).html).toMatch(/progress [^>]*value="[1-9]/));
  return location!;
}

/** Waits until the page says at which line the import stopped. */
async function stopsInTheMiddle(visitor: Visitor, path: string): Promise<void> {
  expect((await visitor.get(path)).html).toContain('Importing kontak.csv');
  const { html } = await eventually(async () => {
    const shown = await visitor.get(path);
    expect(shown.html).toContain('Import of kontak.csv stopped');
    return shown;
  });
  const [, line = ''] = /near line ([\d,]+)\./.exec(html) ?? [];
  const stopped = Number(line.replaceAll(',', ''));
  expect(stopped).toBeGreaterThan(1);
  expect(stopped).toBeLessThan(LINES);
}

it('an import whose process is killed is found by the next one, which says at which line it stopped', async () => {
  const installation = temporaryInstallation();
  installations.push(installation);
  // It makes the workspace.
  await (await start(installation)).kill();
  const token = await session(installation);
  const first = await start(installation);
  const path = await beginImport(visitorOf(first, token));
  await first.kill();
  await stopsInTheMiddle(visitorOf(await start(installation), token), path);
});

describeOnCluster('two processes of the dashboard', (urls) => {
  it('both show an import, also once the one that ran it is killed, and name the setting that links need', async () => {
    const installation = clusterInstallation(urls, uniqueName());
    installations.push(installation);
    const first = await start(installation);
    const second = await start(installation, { KURIR_ROLES: 'dashboard' });
    await readDemo(first, installation);
    const token = await session(installation);
    const watching = visitorOf(second, token);
    const path = await beginImport(visitorOf(first, token), watching);
    await first.kill();
    await stopsInTheMiddle(watching, path);
    const invite = kurir(installation, ['user', 'invite', 'dewi@toko.example', '--role', 'viewer', '--workspace', '1']);
    await expect(invite).rejects.toThrow(/KURIR_HTTP_PORT is 0.*Set KURIR_PUBLIC_URL, or KURIR_DASHBOARD_URL/s);
  });
});
