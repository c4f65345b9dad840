import { Accounts } from '../../operations/installation/accounts';
import { Caller, type Running } from './running';

/** An account besides the demo, with a domain and a key that may send. */
export interface Tenant {
  workspaceId: number;
  domainId: number;
  api: Caller;
}

/** Creates an account. A free one is granted 1,000 coins, a premium one buys 10,000. */
export async function makeTenant(running: Running, name: string, coins: 'free' | 'premium'): Promise<Tenant> {
  const { engine, keyring, clock } = running.kurir.services;
  const accounts = new Accounts({ stores: engine.stores, keyring, clock });
  const profile = { name, businessName: name, businessAddress: 'Jl. Contoh 1' };
  const { id: workspaceId } = await accounts.createWorkspace(profile);
  if (coins === 'free') await accounts.grant(workspaceId, 1_000, 'gift');
  else await accounts.topUp(workspaceId, 10_000, `topup-${name}`, null);
  const domain = await accounts.createDomain(workspaceId, `${name}.test`, 'active');
  const { text } = await accounts.createKey(workspaceId, { name: 'test', scopes: ['send_email'] });
  return { workspaceId, domainId: domain.id, api: new Caller(running.demo.base_url, text) };
}

/** Sends `count` mails that will be delivered; returns their ids. */
export const sendMany = (of: Tenant, count: number): Promise<string[]> =>
  Promise.all(Array.from({ length: count }, (_, i) => of.api.send(`delivered+${i}@x.test`, of.domainId)));
