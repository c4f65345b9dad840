import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Middleware } from 'koa';
import { createHome } from '../../api/start-page/start-page';
import type { FirstSteps, StartPage } from '../../api/start-page/render-start-page';
import { isLocalVisitor } from '../../api/http/local-visitor';
import { Accounts } from '../../operations/installation/accounts';
import { findDemoKey, firstMailLine, OWN_STEPS } from '../../operations/installation/first-run';
import type { Services } from '../shared-services';
import { VERSION } from '../../lib/version';

const INBOX = [
  { path: '/sandbox/inbox', label: 'Inbox', about: 'messages that the sandbox received and rejected' },
  { path: '/sandbox/hooks', label: 'Webhook inbox', about: 'webhooks that the sandbox received' },
];
const DOCS = [
  { path: '/docs', label: 'API reference', about: 'endpoints, with requests you can try' },
  { path: '/v1/openapi.json', label: 'OpenAPI document', about: 'for client generators' },
];
const DASHBOARD = { path: '/app', label: 'Dashboard', about: 'for people: campaigns, messages, contacts and coins' };
const HEALTH = [{ path: '/readyz', label: 'Health', about: 'whether this process is ready' }];

/** Where the dashboard is, unless it is here. */
const atOther = ({ publicUrl, dashboardUrl }: Services): string =>
  publicUrl() === dashboardUrl() ? '' : dashboardUrl();

/**
 * The page at `/`. The key of the demo is shown only where all mail goes to the sandbox of this process, and only to a
 * visitor on this machine.
 */
export function homePage(services: Services, hasSandbox: boolean): Middleware {
  const { config } = services;
  const isSandbox = isOnlySandbox(services, hasSandbox);
  const about: Omit<StartPage, 'steps'> = {
    version: VERSION,
    engine: config.engine,
    roles: config.roles,
    isSandbox,
    places: [
      ...(config.dashboard && config.roles.includes('dashboard')
        ? [{ ...DASHBOARD, path: `${atOther(services)}${DASHBOARD.path}` }]
        : []),
      ...(hasSandbox ? INBOX : []),
      ...(config.roles.includes('api') ? DOCS : []),
      ...HEALTH,
    ],
  };
  return createHome({
    about,
    steps: (mayHaveKey) => firstSteps(services, isSandbox, mayHaveKey),
    trustedHops: config.trustedHops,
  });
}

/**
 * Tells whether `/docs` may say to a visitor where the key of the demo is: where `/` would show the key itself, and a
 * demo workspace exists.
 */
export const demoHint =
  (services: Services, hasSandbox: boolean) =>
  async (req: IncomingMessage): Promise<boolean> =>
    isOnlySandbox(services, hasSandbox) &&
    isLocalVisitor(req, services.config.trustedHops) &&
    (await findDemo(services)) !== null;

/** True when all mail goes to the sandbox of this process. */
const isOnlySandbox = ({ config }: Services, hasSandbox: boolean): boolean => hasSandbox && config.mtaUrl === null;

const findDemo = ({ engine: { stores }, keyring, clock }: Services): ReturnType<typeof findDemoKey> =>
  findDemoKey(stores, new Accounts({ stores, keyring, clock }));

/** Whoever is first of several at once gets the key: the setting is written only once. */
async function firstSteps(services: Services, isSandbox: boolean, mayHaveKey: boolean): Promise<FirstSteps> {
  const { engine, publicUrl } = services;
  const own: FirstSteps = { kind: 'own', lines: OWN_STEPS };
  if (!isSandbox) return own;
  const demo = await findDemo(services);
  if (!demo) return own;
  const base = { base_url: `${publicUrl()}/v1`, sending_domain_id: demo.domainId };
  const visit = randomUUID();
  if (mayHaveKey && (await engine.stores.settings.setOnce('demo_key_shown', visit)) === visit) {
    return { kind: 'key', lines: [firstMailLine({ ...base, api_key: demo.apiKey })] };
  }
  return { kind: 'demo', lines: [firstMailLine({ ...base, api_key: '<your API key>' })] };
}
