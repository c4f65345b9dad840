import { join } from 'node:path';
import { Accounts } from '../../operations/installation/accounts';
import { AdvancingClock } from '../../lib/advancing-clock';
import { Keyring } from '../../domain/keyring';
import type { Clock } from '../../lib/clock';
import { openEmbedded } from '../../stores/embedded/open';
import type { Stores } from '../../stores/ports';
import type { Sender } from './message-request';
import type { RelayLogin } from './relay-connection';

const COINS = 1_000_000_000;

/** A workspace that posts, and sends by the relay. */
export interface SeededSender extends Sender {
  smtp: RelayLogin;
}

export interface SeedOptions {
  dataDir: string;
  secret: string;
  workspaces: number;
}

/**
 * Creates premium workspaces, each with a sending domain, a key and a login, in an empty data dir before the service
 * starts.
 */
export async function seed({ dataDir, secret, workspaces }: SeedOptions): Promise<SeededSender[]> {
  const clock = new AdvancingClock();
  const engine = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock });
  const senders = await seedWorkspaces({ stores: engine.stores, clock, secret }, workspaces);
  await engine.close();
  return senders;
}

/** The same, in the stores of any engine. */
export async function seedWorkspaces(
  { stores, clock, secret }: { stores: Stores; clock: Clock; secret: string },
  workspaces: number,
): Promise<SeededSender[]> {
  const accounts = new Accounts({ stores, keyring: new Keyring(secret), clock });
  const senders: SeededSender[] = [];
  for (let n = 1; n <= workspaces; n++) {
    const profile = { name: `Bench ${n}`, businessName: 'Bench', businessAddress: 'Jl. Contoh No. 1, Jakarta 10110' };
    const { id } = await accounts.createWorkspace(profile);
    await accounts.topUp(id, COINS, 'bench', null);
    const domain = await accounts.createDomain(id, `w${n}.bench.example`, 'active');
    const { text } = await accounts.createKey(id, { name: 'Bench', scopes: ['send_email', 'manage_webhooks'] });
    const { login, password } = await accounts.createLogin(id);
    const smtp = { username: login.username, password, from: `shop@${domain.domain}` };
    senders.push({ apiKey: text, domainId: domain.id, smtp });
  }
  return senders;
}

/** Gives the first workspace a rate of its own, mails a minute, while no service runs. */
export async function limitFirst(dataDir: string, perMinute: number): Promise<void> {
  const clock = new AdvancingClock();
  const engine = await openEmbedded({ file: join(dataDir, 'kurir.sqlite'), clock });
  await engine.stores.workspaces.setRate(1, { perMinute }, clock.now());
  await engine.close();
}
