import { SECOND, type Clock } from '../../lib/clock';
import { sleep } from '../../lib/sleep';
import type { DomainCategory, SendingDomain } from '../../domain/settings/sending-domain';
import { WEBHOOK_EVENTS } from '../../domain/webhooks/webhook';
import { SCOPES, type Workspace } from '../../domain/settings/workspace';
import type { Stores } from '../../stores/ports';
import type { Accounts } from './accounts';
import { DEMO_DOMAIN, recordDemoMail } from './demo-mail';
import type { Config } from '../config/config';
import { LOOPBACK } from '../config/origin';
import { StartError } from '../../lib/start-error';

/** For password resets, codes and receipts: without a footer, tracked links, and refusals after an unsubscribe. */
const TRANSACTIONAL_DOMAIN = 'notify.kurir.test';
const DEMO_COINS = 100_000;

/** Contents of `first-run.json`. */
export interface FirstRun {
  base_url: string;
  api_key: string;
  /** For marketing. */
  sending_domain_id: number;
  /** For password resets, codes and receipts. */
  transactional_domain_id: number;
  /** Null with a real sending server: there is no sandbox then. */
  inbox_url: string | null;
  /** The same for the hooks of the sandbox, where the name of one follows. */
  hooks_url: string | null;
  smtp: { host: string; port: number; tls_port: number; username: string; password: string };
}

interface Addresses {
  /** Mail goes to a real sending server, not to the sandbox. */
  withSendingServer: boolean;
  baseUrl: string;
  inboxUrl: string | null;
  hooksUrl: string | null;
  smtp: { host: string; port: number; tlsPort: number };
}

/** The addresses the demo shows for the service at `publicUrl`; `ports` as far as the real ones are known. */
export function demoAddresses(
  config: Config,
  publicUrl: string,
  { smtp = config.smtpPort, smtps = config.smtpsPort }: Readonly<Partial<Record<string, number>>> = {},
): Addresses {
  return {
    withSendingServer: config.mtaUrl !== null,
    baseUrl: `${publicUrl}/v1`,
    inboxUrl: config.mtaUrl === null ? `${publicUrl}/sandbox/inbox` : null,
    hooksUrl: config.mtaUrl === null ? `${publicUrl}/sandbox/hooks` : null,
    smtp: { host: LOOPBACK, port: smtp, tlsPort: smtps },
  };
}

/** True if no workspace was ever created here. */
export async function isFirstRun(stores: Pick<Stores, 'settings' | 'workspaces'>): Promise<boolean> {
  if ((await stores.settings.get('first_run')) === true) return false;
  const workspaces = await stores.workspaces.list();
  return workspaces.every((workspace) => workspace.name === 'Demo');
}

/**
 * Creates the demo workspace: premium, 100,000 coins, two active domains, one for
 * marketing and one that is transactional, a key with all scopes, an SMTP login. Each
 * step checks first whether its result exists. So the next run completes one that was cut off, and a later run returns
 * the same.
 */
export async function makeDemo(stores: DemoStores, by: DemoMaker, addresses: Addresses): Promise<FirstRun> {
  const lease = await acquire(stores, by);
  try {
    return await completeDemo(stores, by.accounts, addresses);
  } finally {
    await stores.leases.release(LEASE, by.owner, lease);
  }
}

type DemoStores = Pick<Stores, 'workspaces' | 'credentials' | 'domains' | 'leases' | 'settings'>;

/**
 * Dependencies of `makeDemo`; `owner` is its name in the lease that prevents two processes from creating two
 * workspaces.
 */
export interface DemoMaker {
  accounts: Accounts;
  clock: Clock;
  owner: string;
}

const LEASE = 'demo';
const LEASE_TTL = 10 * SECOND;
/** Real time between checks of a lease that another process holds, ms, and the number of checks before giving up. */
const CHECK_EVERY = 100;
const LOOKS = 150;

async function acquire({ leases }: DemoStores, { clock, owner }: DemoMaker): Promise<number> {
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const epoch = await leases.acquire(LEASE, owner, clock.now(), LEASE_TTL);
    if (epoch !== null) return epoch;
    await sleep(CHECK_EVERY);
  }
  throw new StartError('Another process is creating the demo workspace. Try again.');
}

const PROFILE = { name: 'Demo', businessName: 'Kurir Demo', businessAddress: 'Jl. Contoh No. 1, Jakarta 10110' };

/** Finds the workspace of the demo domain, or one that an interrupted run created before its domain. */
async function findDemo(stores: DemoStores): Promise<Workspace | null> {
  const domain = await stores.domains.findByName(DEMO_DOMAIN);
  if (domain) return stores.workspaces.get(domain.workspaceId);
  const begun = (await stores.workspaces.list()).find(
    ({ name, businessName }) => name === PROFILE.name && businessName === PROFILE.businessName,
  );
  return begun ?? null;
}

/** The key of the demo workspace and the domain of its first mail; null when there is none, or its key was revoked. */
export async function findDemoKey(
  stores: Pick<Stores, 'workspaces' | 'domains' | 'credentials'>,
  accounts: Pick<Accounts, 'viewKey'>,
): Promise<{ apiKey: string; domainId: number } | null> {
  const domain = await stores.domains.findByName(DEMO_DOMAIN);
  if (!domain) return null;
  const keys = await stores.credentials.listKeys(domain.workspaceId);
  const key = keys.find(({ name, revokedAt }) => name === PROFILE.name && revokedAt === null);
  if (!key) return null;
  const transactional = await stores.domains.findByName(TRANSACTIONAL_DOMAIN);
  return { apiKey: accounts.viewKey(key), domainId: (transactional ?? domain).id };
}

async function completeDemo(stores: DemoStores, accounts: Accounts, addresses: Addresses): Promise<FirstRun> {
  let workspace = await findDemo(stores);
  if (!workspace) {
    await recordDemoMail(stores, addresses.withSendingServer);
    workspace = await accounts.createWorkspace(PROFILE);
  }
  await accounts.topUp(workspace.id, DEMO_COINS, 'demo', null);
  const domain = async (name: string, category: DomainCategory): Promise<SendingDomain> =>
    (await stores.domains.findByName(name)) ?? accounts.createDomain(workspace.id, name, 'active', category);
  const marketing = await domain(DEMO_DOMAIN, 'marketing');
  const transactional = await domain(TRANSACTIONAL_DOMAIN, 'transactional');
  const key = (await stores.credentials.listKeys(workspace.id)).find(({ revokedAt }) => revokedAt === null);
  const apiKey = key
    ? accounts.viewKey(key)
    : (await accounts.createKey(workspace.id, { name: 'Demo', scopes: [...SCOPES] })).text;
  const [held] = await stores.credentials.listLogins(workspace.id);
  const login = held ?? (await accounts.createLogin(workspace.id)).login;
  return {
    base_url: addresses.baseUrl,
    api_key: apiKey,
    sending_domain_id: marketing.id,
    transactional_domain_id: transactional.id,
    inbox_url: addresses.inboxUrl,
    hooks_url: addresses.hooksUrl,
    smtp: {
      host: addresses.smtp.host,
      port: addresses.smtp.port,
      tls_port: addresses.smtp.tlsPort,
      username: login.username,
      password: accounts.viewPassword(login),
    },
  };
}

/** The commands that make a first workspace. */
export const OWN_STEPS = [
  'npx kurir workspace create "Toko Melati" --address "Jl. Melati 1, Bandung"',
  'npx kurir domain add "Toko Melati" melati.example      # prints the DNS records; then: domain check, domain activate',
  'npx kurir key create "Toko Melati" --name shop --scopes send_email',
  'npx kurir coins top-up "Toko Melati" 10000',
];

const EMPTY_TEXT = `
Kurir is running, but there is no workspace yet. Create the first one, with a sending domain, an API key and coins:

${OWN_STEPS.join('\n')}

To start with a demo workspace instead, set KURIR_DEMO=true.
`;
/** What a start without any workspace shows at its end. */
export const EMPTY_START: FirstSteps = {
  text: EMPTY_TEXT,
  facts: {},
  summary:
    'there is no workspace yet: create one with kurir workspace create, or set KURIR_DEMO=true for a demo workspace',
};

/** What the first start says at its end. */
export interface FirstSteps {
  /** For a terminal, with the key and the login. */
  text: string;
  /** For a log, which others may read: one record, without them. */
  facts: object;
  summary: string;
}

/** What the first start says; `file` holds the details. */
export function announcement(run: FirstRun, file: string): FirstSteps {
  const { base_url, sending_domain_id, transactional_domain_id, inbox_url } = run;
  return {
    text: `${about(run)}These details are also saved in ${file}.\n`,
    facts: { base_url, sending_domain_id, transactional_domain_id, inbox_url, file },
    summary: 'created a demo workspace: kurir demo prints its API key, SMTP login and example requests',
  };
}

const about = (run: FirstRun): string =>
  `\nKurir is running with a demo workspace: premium, 100,000 coins and two sending domains.\n${firstCalls(run)}`;

/** The two domains of the demo workspace, and lines ready to paste that send by each interface. */
export function firstCalls(run: FirstRun): string {
  return [
    `${run.transactional_domain_id} (${TRANSACTIONAL_DOMAIN}) is for transactional email: password resets, codes and receipts.`,
    `${run.sending_domain_id} (${DEMO_DOMAIN}) is for marketing email, with tracked links and an unsubscribe footer.`,
    'Send your first email:',
    '',
    firstMailLine({ ...run, sending_domain_id: run.transactional_domain_id }),
    '',
    ...(run.inbox_url === null ? [] : [`See it arrive: ${run.inbox_url}`]),
    '',
    'Send one by SMTP:',
    '',
    smtpLine(run),
    '',
    ...(run.hooks_url === null ? [] : webhookLines(run, run.hooks_url)),
  ].join('\n');
}

/** A line ready to paste that sends a first mail: a password reset, so from a transactional domain. */
export function firstMailLine(run: Pick<FirstRun, 'base_url' | 'api_key' | 'sending_domain_id'>): string {
  const mail = JSON.stringify({
    to: 'delivered@example.test',
    subject: 'Reset your password',
    html: '<p>Halo {{nama|Kak}}, <a href="https://example.com/reset">choose a new password</a>.</p>',
    sending_domain_id: run.sending_domain_id,
  });
  return callLine(run, 'messages', mail);
}

/** Trusts the certificate unseen: it was made a moment ago, on this machine. */
function smtpLine({ smtp: { host, port, username, password } }: FirstRun): string {
  const from = `halo@${TRANSACTIONAL_DOMAIN}`;
  const mail = [`From: Kurir Demo <${from}>`, 'Subject: Halo', '', 'It works.'].map((line) => `'${line}'`).join(' ');
  return (
    `printf '%s\\n' ${mail} | curl -sS --ssl-reqd --insecure --crlf smtp://${host}:${port} ` +
    `--user ${quoted(`${username}:${password}`)} --mail-from ${from} --mail-rcpt delivered@example.test --upload-file -`
  );
}

function webhookLines(run: FirstRun, hooksUrl: string): string[] {
  const webhook = JSON.stringify({ url: `${hooksUrl}/shop`, event_types: WEBHOOK_EVENTS });
  return [
    '',
    'Register a webhook, and send another email:',
    '',
    callLine(run, 'webhooks', webhook),
    '',
    `See the events arrive: ${hooksUrl}`,
    '',
  ];
}

const callLine = (run: Pick<FirstRun, 'base_url' | 'api_key'>, path: string, body: string): string =>
  `curl -sS ${run.base_url}/${path} -H ${quoted(`Authorization: Bearer ${run.api_key}`)} -H 'Content-Type: application/json' -d '${body}'`;

/** As a word of the shell, in which a variable counts. */
const quoted = (text: string): string => (text.includes('$') ? `"${text}"` : `'${text}'`);
