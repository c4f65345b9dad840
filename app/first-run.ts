import { SCOPES } from '../domain/workspace';
import type { Stores } from '../stores/ports';
import type { Accounts } from './accounts';

const DEMO_DOMAIN = 'demo.kurir.test';
const DEMO_COINS = 100_000;

/** What `first-run.json` holds. */
export interface FirstRun {
  base_url: string;
  api_key: string;
  sending_domain_id: number;
  /** Null with a real sending server: there is no sandbox then. */
  inbox_url: string | null;
  smtp: { host: string; port: number; tls_port: number; username: string; password: string };
}

export interface Addresses {
  baseUrl: string;
  inboxUrl: string | null;
  smtp: { host: string; port: number; tlsPort: number };
}

/** True while no workspace was ever made here. */
export async function isFirstRun(stores: Pick<Stores, 'settings' | 'workspaces'>): Promise<boolean> {
  if ((await stores.settings.get('first_run')) === true) return false;
  const workspaces = await stores.workspaces.list();
  return workspaces.every((workspace) => workspace.name === 'Demo');
}

/**
 * Makes the demo workspace (issue: first run): premium, 100,000 coins, one active domain, a key with all scopes, an SMTP login.
 * Each step is looked for before it is made, so that a first run cut off in the middle is completed by the next start.
 */
export async function makeDemo(
  stores: Pick<Stores, 'workspaces' | 'credentials' | 'domains'>,
  accounts: Accounts,
  addresses: Addresses,
): Promise<FirstRun> {
  const profile = { name: 'Demo', businessName: 'Kurir Demo', businessAddress: 'Jl. Contoh No. 1, Jakarta 10110' };
  const workspace = (await stores.workspaces.list())[0] ?? (await accounts.createWorkspace(profile));
  await accounts.topUp(workspace.id, DEMO_COINS, 'demo', null);
  const domain =
    (await stores.domains.findByName(DEMO_DOMAIN)) ??
    (await accounts.createDomain(workspace.id, DEMO_DOMAIN, 'active'));
  const [key] = await stores.credentials.listKeys(workspace.id);
  const apiKey = key ? accounts.viewKey(key) : (await accounts.createKey(workspace.id, 'Demo', [...SCOPES])).text;
  const [held] = await stores.credentials.listLogins(workspace.id);
  const login = held ?? (await accounts.createLogin(workspace.id)).login;
  return {
    base_url: addresses.baseUrl,
    api_key: apiKey,
    sending_domain_id: domain.id,
    inbox_url: addresses.inboxUrl,
    smtp: {
      host: addresses.smtp.host,
      port: addresses.smtp.port,
      tls_port: addresses.smtp.tlsPort,
      username: login.username,
      password: accounts.viewPassword(login),
    },
  };
}

/** What a newcomer reads at the end of the first start, with a line ready to paste. */
export function announcement(run: FirstRun, file: string): string {
  const body = JSON.stringify({
    to: 'delivered@example.test',
    subject: 'Halo {{nama|Kak}}',
    html: '<p>It works. <a href="https://example.com/">A tracked link</a></p>',
    sending_domain_id: run.sending_domain_id,
  });
  return [
    '',
    'Kurir is running, with a demo workspace: premium, 100,000 coins, sending domain demo.kurir.test.',
    'Send the first mail:',
    '',
    `curl -sS ${run.base_url}/messages -H 'Authorization: Bearer ${run.api_key}' -H 'Content-Type: application/json' -d '${body}'`,
    '',
    ...(run.inbox_url === null ? [] : [`and see it arrive: ${run.inbox_url}`]),
    `All of this is in ${file}.`,
    '',
  ].join('\n');
}
