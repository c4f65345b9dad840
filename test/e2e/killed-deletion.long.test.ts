import { afterAll, expect, it } from '@jest/globals';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Accounts } from '../../operations/installation/accounts';
import { AdvancingClock } from '../../lib/advancing-clock';
import { DATABASE } from '../../operations/installation/data-dir';
import { SCOPES } from '../../domain/settings/workspace';
import { embeddedInstallation } from '../../proof/crash/installation';
import { ReadOnlyFile } from '../../stores/embedded/audit/read-only-file';
import { acceptMessage, aContact, TEST_KEYRING } from '../support/builders';
import { auditOf } from '../support/auditing';
import { Caller, temporaryDir } from '../support/running';
import { kurir, Service } from '../support/service';

const MESSAGES = 2_000;
const EMAIL = 'sari.dewi@pelanggan.test';
const NAME = 'Sari Dewi';
/** Of TEST_KEYRING. */
const SECRET = 'a master secret for tests only, 32+';

const dataDir = temporaryDir();
const installation = embeddedInstallation(dataDir);
let service: Service | null = null;
afterAll(async () => {
  await service?.kill();
  rmSync(dataDir, { recursive: true, force: true });
});

/** A contact with many messages that hold its address everywhere, and a key to delete it with. */
async function seed() {
  const clock = new AdvancingClock();
  const { stores, close } = await installation.open(clock);
  const accounts = new Accounts({ stores, keyring: TEST_KEYRING, clock });
  const workspace = await accounts.createWorkspace({
    name: 'Toko',
    businessName: 'Toko',
    businessAddress: 'Jl. Melati 1',
  });
  // Never bought: ten mails a minute go out, the others wait.
  await accounts.grant(workspace.id, 10_000, 'awal');
  const domain = await accounts.createDomain(workspace.id, 'toko.test', 'active');
  const { text: key } = await accounts.createKey(workspace.id, { name: 'Kunci', scopes: [...SCOPES] });
  const contact = await stores.contacts.ensure(aContact(workspace.id, { email: EMAIL, name: NAME, at: clock.now() }));
  const mail = {
    facts: { subject: `Halo ${NAME} <${EMAIL}>`, metadata: { buyer: EMAIL }, createdAt: clock.now() },
    body: { html: `<p>${EMAIL}</p>`.repeat(300) },
  };
  await Promise.all(
    Array.from({ length: MESSAGES }, () => acceptMessage(stores, { workspace, domain, contact }, mail)),
  );
  await close();
  return { key, contact };
}

/** How many messages the deletion still has to do, as the disk has it; null without a note of one. */
function leftOf(file: ReadOnlyFile): number | null {
  if (file.get('SELECT 1 FROM anonymising') === undefined) return null;
  return file.get<{ n: number }>('SELECT count(*) AS n FROM messages WHERE recipient IS NOT NULL')?.n ?? 0;
}

// spec: docs/contract.md#delete-a-contact: DELETE /contacts/{id}: message history is anonymized
it('a large deletion that is killed half-way is finished by the next start', async () => {
  const { key, contact } = await seed();
  const env = { KURIR_SECRET: SECRET };
  service = await Service.start(dataDir, env);
  const file = new ReadOnlyFile(join(dataDir, DATABASE));
  const deletion = new Caller(service.baseUrl, key).request('DELETE', `/contacts/${contact.id}`).catch(() => null);
  while (leftOf(file) === null) await new Promise(setImmediate);
  await service.kill();
  expect(await deletion).toBeNull();
  const left = leftOf(file);
  file.close();
  expect(left).toBeGreaterThan(0);
  expect(left).toBeLessThan(MESSAGES);
  await expect(kurir(dataDir, ['pii', EMAIL])).rejects.toMatchObject({ code: 1 });

  service = await Service.start(dataDir, env);
  expect(await new Caller(service.baseUrl, key).get(`/contacts/${contact.id}`)).toMatchObject({ status: 404 });
  await untilFinished();
  const { stdout } = await kurir(dataDir, ['pii', EMAIL, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ found: [] });
  expect((await service.terminate()).code).toBe(0);
  expect((await auditOf(dataDir)).found).toEqual([]);
  for (const name of readdirSync(dataDir).filter((entry) => entry.startsWith(DATABASE))) {
    expect(readFileSync(join(dataDir, name)).includes(EMAIL)).toBe(false);
  }
});

/** Waits until the note of the deletion is gone. */
async function untilFinished(): Promise<void> {
  const file = new ReadOnlyFile(join(dataDir, DATABASE));
  while (leftOf(file) !== null) {
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  file.close();
}
