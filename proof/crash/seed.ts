import { Accounts } from '../../app/installation/accounts';
import { AdvancingClock } from '../../app/core/advancing-clock';
import { Keyring } from '../../domain/keyring';
import type { Installation } from './installation';

/** The master secret of every installation in the crash proof. */
export const SECRET = 'the crash proof keeps no secret, only 32 characters of one';

/** A workspace that sends. */
export interface Sender {
  workspaceId: number;
  apiKey: string;
  domainId: number;
  /** Its login of the relay, and an address it may send from. */
  smtp: { username: string; password: string; from: string };
  coins: number;
  /** True for a workspace that never bought coins and sends ten mails a minute. */
  isFree: boolean;
}

const COINS = 10_000;
/** One workspace in this many is free. */
const FREE_EVERY = 4;

/** Creates workspaces, each with a domain, a key and coins (10,000), on empty data before the service starts. */
export async function seedWorkspaces(installation: Installation, count: number, coins = COINS): Promise<Sender[]> {
  const clock = new AdvancingClock();
  const engine = await installation.open(clock);
  const accounts = new Accounts({ stores: engine.stores, keyring: new Keyring(SECRET), clock });
  const senders: Sender[] = [];
  for (let n = 1; n <= count; n++) {
    const profile = {
      name: `Workspace ${n}`,
      businessName: 'Toko',
      businessAddress: 'Jl. Contoh No. 1, Jakarta 10110',
    };
    const { id } = await accounts.createWorkspace(profile);
    const isFree = n % FREE_EVERY === 0;
    if (isFree) await accounts.grant(id, coins, `crash-${n}`);
    else await accounts.topUp(id, coins, `crash-${n}`, null);
    const domain = await accounts.createDomain(id, `w${n}.crash.example`, 'active');
    const { text } = await accounts.createKey(id, {
      name: 'Crash',
      scopes: ['send_email', 'manage_contacts', 'manage_webhooks'],
    });
    const { login, password } = await accounts.createLogin(id);
    const smtp = { username: login.username, password, from: `toko@${domain.domain}` };
    senders.push({ workspaceId: id, apiKey: text, domainId: domain.id, smtp, coins, isFree });
  }
  await engine.close();
  return senders;
}
