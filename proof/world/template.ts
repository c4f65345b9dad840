import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { Accounts } from '../../operations/installation/accounts';
import { AdvancingClock } from '../../lib/advancing-clock';
import { Keyring } from '../../domain/keyring';
import { dkimContext } from '../../domain/settings/sending-domain';
import { SCOPES } from '../../domain/settings/workspace';
import { createAdminKey } from '../../operations/people/admin-keys';
import { readOrMakeOwnCertificate } from '../../smtp/relay/tls/own-certificate';
import { OWN_CERTIFICATE } from '../../operations/installation/data-dir';
import { makeMarketing, type Marketing } from './marketing';
import type { Clock } from '../../lib/clock';
import { openEmbedded } from '../../stores/embedded/open';
import { prepareCollections } from '../../stores/mongodb/database/prepare';
import { mongoStores } from '../../stores/mongodb/stores';
import type { Stores } from '../../stores/ports';
import type { Engine } from '../../stores/ports/engine';
import { DATABASE } from './cluster-stores';
import { ReplicaSet } from './replica-set/client';

/** The master secret of every installation of the world. */
export const SECRET = 'the simulated world keeps no secret, only 32 characters of one';

/** What a caller knows of its workspace. */
export interface Account extends Marketing {
  workspaceId: number;
  apiKey: string;
  domainId: number;
  domain: string;
  coins: number;
  /** True for one that never bought coins and sends ten mails a minute. */
  isFree: boolean;
  /** Its login of the relay, and an address that it sends from. */
  smtp: { username: string; password: string; from: string };
}

/** A data dir as callers find it, made once and copied for every seed. */
export interface Template {
  dir: string;
  accounts: readonly Account[];
  /** A key of the management API for the whole installation. */
  adminKey: string;
  /** What the data dir holds, in place of it, for the stores of the cluster engine; copied for every seed. */
  replicaSet: ReplicaSet | null;
}

/** Whose stores play: those of the embedded engine, or those of the cluster. */
export type EngineName = 'embedded' | 'cluster';

/** A DKIM key (PKCS#8 PEM). It takes so long to make that all domains share one. */
export function makeDkimKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }) as string;
}

/** Makes a data dir with workspaces, each with a domain, an API key and coins. */
export async function makeTemplate(
  dir: string,
  coins: readonly number[],
  pem: string,
  now: number,
  name: EngineName = 'embedded',
): Promise<Template> {
  mkdirSync(dir, { recursive: true });
  const clock = new AdvancingClock(0, () => now);
  const engine = await openEmbedded({ file: join(dir, 'kurir.sqlite'), clock });
  const replicaSet = name === 'cluster' ? new ReplicaSet() : null;
  const filled = replicaSet
    ? await fillReplicaSet(replicaSet, engine, clock, coins, pem)
    : await fill(engine.stores, clock, coins, pem);
  // It takes so long to make that every life has the same.
  readOrMakeOwnCertificate(join(dir, OWN_CERTIFICATE), ['smtp.kurir.test', 'localhost', '127.0.0.1', '::1'], now);
  await engine.close();
  return { dir, replicaSet, ...filled };
}

/** What is there before a run. */
export type Filled = Pick<Template, 'accounts' | 'adminKey'>;

async function fillReplicaSet(
  replicaSet: ReplicaSet,
  { log }: Engine,
  clock: Clock,
  coins: readonly number[],
  pem: string,
): Promise<Filled> {
  const mongo = replicaSet.connect(DATABASE);
  await prepareCollections(mongo.db);
  const stored = mongoStores(mongo, { clock, publish: (records) => log.publish(records) });
  const filled = await fill(stored.stores, clock, coins, pem);
  await stored.close();
  return filled;
}

/** Makes workspaces, each with a domain, an API key, an audience and coins, and a key of the management API. */
export async function fill(
  stores: Stores,
  clock: Clock,
  coins: readonly number[],
  pem: string,
  isFreeOne = (n: number): boolean => n === 0,
): Promise<Filled> {
  const now = clock.now();
  const keyring = new Keyring(SECRET);
  const made = new Accounts({ stores, keyring, clock });
  const accounts: Account[] = [];
  for (const [n, granted] of coins.entries()) {
    const profile = { name: `Toko ${n + 1}`, businessName: 'Toko', businessAddress: 'Jl. Contoh No. 1, Jakarta' };
    const { id: workspaceId } = await made.createWorkspace(profile);
    const isFree = isFreeOne(n);
    if (isFree) await made.grant(workspaceId, granted, `world-${n}`);
    else await made.topUp(workspaceId, granted, `world-${n}`, null);
    const domain = `toko${n + 1}.example`;
    const facts = { workspaceId, domain, status: 'active', dkimSelector: 'kurir', createdAt: now } as const;
    const { id: domainId } = await stores.domains.create({
      ...facts,
      category: 'marketing',
      dkimKeySealed: keyring.seal(pem, dkimContext(domain)),
    });
    const { text } = await made.createKey(workspaceId, { name: 'World', scopes: [...SCOPES] });
    const { login, password } = await made.createLogin(workspaceId);
    const smtp = { username: login.username, password, from: `toko@${domain}` };
    const marketing = await makeMarketing(stores, { workspaceId, domainId, createdAt: now });
    accounts.push({ workspaceId, apiKey: text, domainId, domain, coins: granted, isFree, smtp, ...marketing });
  }
  const deps = { records: stores.records, clock, keyring };
  const role = { name: 'World', role: 'operator', workspaceId: null, expiresAt: null, createdBy: 'world' } as const;
  const { text: adminKey } = await createAdminKey(deps, role);
  return { accounts, adminKey };
}
