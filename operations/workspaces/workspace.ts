import { ValueError } from '../../lib/reason';
import { isPremium } from '../../domain/ledger/coins';
import { LANGUAGES } from '../../domain/settings/language';
import { wibDay } from '../../domain/wib';
import { UNCONFIRMED, type Workspace } from '../../domain/settings/workspace';
import { defined } from '../../lib/defined';
import type { WorkspacePatch } from '../../stores/ports/workspace-store';
import { changeWorkspace } from './change-workspace';
import {
  argument,
  type Columns,
  facts,
  oneOf,
  onOff,
  operation,
  OperationError,
  option,
  requireChange,
  type Session,
  status,
  text,
  textOrNothing,
  whole,
  workspace,
  why,
  rule,
} from '../definition';
import { rate, rateOf, rateText } from './workspace-rate';

const present = (of: Workspace) => ({
  ...facts(of, 'id', 'name'),
  status: of.suspended ? 'suspended' : 'active',
  ...facts(
    of,
    'emailModule',
    'businessName',
    'businessAddress',
    'trackConversions',
    'language',
    'campaignApproval',
    'unconfirmed',
    'createdAt',
  ),
});

const PROFILE: Columns<ReturnType<typeof present>> = {
  id: 'id',
  name: 'name',
  status: status('status'),
  'email module': status('email_module'),
  'business name': 'business_name',
  'business address': (of) => of.business_address || null,
  'conversion tracking': 'track_conversions',
  'campaign approval': 'campaign_approval',
  'unconfirmed messages': (of) => (of.unconfirmed === 'resend' ? 'sent again' : 'fails'),
  language: 'language',
  created: 'created_at',
};

/** A name that cannot be mistaken for an id. */
const newName = (raw: string): string => {
  const name = text(255)(raw);
  if (/^\d+$/.test(name)) throw new ValueError(rule('no_number'));
  return name;
};

async function refuseTaken({ stores }: Session, name: string): Promise<void> {
  const taken = (await stores.workspaces.list()).find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (!taken) return;
  const { id, name: held } = taken;
  throw new OperationError(why('workspace_taken', { label: '<name>', id, name: held }), 'Choose another name.');
}

/** Changes fields of a workspace. */
async function change(session: Session, { id, name }: Workspace, verb: string, patch: WorkspacePatch) {
  if (patch.name !== undefined && patch.name !== name) await refuseTaken(session, patch.name);
  const what = Object.entries(patch).map(([field, value]) => `${field}=${String(value)}`);
  await session.note(`workspace ${verb}`, `${name}: ${what.join(', ')}`, id);
  const changed = await changeWorkspace(session.stores, id, patch, session.clock.now());
  if (!changed) throw new OperationError(why('workspace_gone', { id }), '', '<workspace>');
  return present(changed);
}

const create = operation('workspace.create', 'operator', {
  summary: 'create a workspace with the email module on and no coins',
  arguments: { name: argument('name of the workspace; must be unique', newName) },
  options: {
    businessName: option('<text>', 'sender name, and the merge tag {{bisnis}}; default: the name', text()),
    address: option('<text>', 'business address, shown in the footer of every email', text(500), ''),
  },
  examples: [
    ['workspace create "Toko Melati"', 'a workspace'],
    ['workspace create melati --business-name "Toko Melati" --address "Jl. Melati 1, Bandung"', 'with its profile'],
  ],
  handler: async ({ name, businessName = name, address: businessAddress }, session) => {
    await refuseTaken(session, name);
    await session.note('workspace create', name, null);
    const accounts = await session.accounts();
    return present(await accounts.createWorkspace({ name, businessName, businessAddress }));
  },
  details: PROFILE,
});

const list = operation('workspace.list', 'operator', {
  summary: 'list all workspaces',
  options: {
    name: option('<text>', 'only workspaces whose name contains this text, upper or lower case', text()),
    after: option('<id>', 'only workspaces after this one, for the next page', whole(0, Number.MAX_SAFE_INTEGER), 0),
    limit: option('<n>', 'maximum number of workspaces, 1 to 1000; default: all', whole(1, 1_000)),
  },
  examples: [
    ['workspace list', 'one per line'],
    ['workspace list --name toko --limit 50', 'the first 50 whose name contains toko'],
  ],
  handler: async ({ name, after, limit }, { stores, clock }) => {
    const wanted = name?.toLowerCase() ?? '';
    const all = (await stores.workspaces.list()).filter(
      (of) => of.id > after && of.name.toLowerCase().includes(wanted),
    );
    const some = all.slice(0, limit);
    const data = some.map(async (of) => {
      const account = await stores.coins.account(of.id);
      return { ...present(of), coins: account.balance, premium: isPremium(account, clock.now()) };
    });
    return { data: await Promise.all(data), next_after: some.length < all.length ? (some.at(-1)?.id ?? null) : null };
  },
  columns: {
    id: 'id',
    name: 'name',
    status: status('status'),
    module: status('email_module'),
    coins: 'coins',
    account: ({ premium }) => (premium ? 'premium' : 'free'),
  },
  none: 'No workspaces yet. Create one: kurir workspace create <name>',
});

const show = operation('workspace.show', 'viewer', {
  summary: 'show a workspace: profile, coins, send rate, domains, keys and logins',
  arguments: { workspace },
  examples: [
    ['workspace show 1', 'by id'],
    ['workspace show Demo', 'by name'],
  ],
  handler: async (input, { stores, clock }) => {
    const { id } = input.workspace;
    const now = clock.now();
    const account = await stores.coins.account(id);
    const premium = isPremium(account, now);
    const keys = (await stores.credentials.listKeys(id)).filter(({ revokedAt }) => revokedAt === null);
    const logins = await stores.credentials.listLogins(id);
    return {
      ...present(input.workspace),
      coins: account.balance,
      premium,
      ...rateOf(input.workspace, premium),
      claimed_today: await stores.queue.claimsOn(wibDay(now), id),
      domains: (await stores.domains.list(id)).map(({ id, domain, status }) => ({ id, domain, status })),
      keys: keys.map(({ id, name }) => ({ id, name })),
      logins: logins.map(({ id, username }) => ({ id, username })),
    };
  },
  details: {
    ...PROFILE,
    coins: 'coins',
    'send rate': (of) => rateText(of),
    'sent today (WIB)': 'claimed_today',
    domains: ({ domains }) => domains.map(({ domain, status }) => `${domain} (${status})`).join(', ') || null,
    'API keys': ({ keys }) => keys.map(({ name }) => name).join(', ') || null,
    'SMTP logins': ({ logins }) => logins.map(({ username }) => username).join(', ') || null,
  },
});

const suspend = operation('workspace.suspend', 'operator', {
  irreversible: true,
  summary: 'suspend a workspace: its requests get a 403, its queued messages fail with "Workspace disuspend."',
  arguments: { workspace },
  examples: [['workspace suspend "Toko Melati"', 'takes effect immediately']],
  handler: (input, session) => change(session, input.workspace, 'suspend', { suspended: true }),
  details: PROFILE,
});

const resume = operation('workspace.resume', 'operator', {
  summary: 'resume a suspended workspace',
  arguments: { workspace },
  examples: [['workspace resume 3', 'its requests are accepted again']],
  handler: (input, session) => change(session, input.workspace, 'resume', { suspended: false }),
  details: PROFILE,
});

const setModule = operation('workspace.module', 'operator', {
  summary: 'turn the email module of a workspace on or off',
  arguments: { workspace, state: argument('on or off', onOff) },
  examples: [['workspace module melati off', 'its requests get a 403']],
  handler: (input, session) => change(session, input.workspace, 'module', { emailModule: input.state }),
  details: PROFILE,
});

const profile = operation('workspace.profile', 'owner', {
  summary: 'change the business profile and the settings of a workspace',
  arguments: { workspace },
  options: {
    businessName: option('<text>', 'sender name, and the merge tag {{bisnis}}', text()),
    address: option('<text>', 'business address in the footer; "" for none', textOrNothing(500)),
    trackConversions: option('<state>', 'on or off: add svc_mid to tracked links', onOff),
    campaignApproval: option('<state>', 'on or off: campaigns of editors need approval by an owner', onOff),
    unconfirmed: option(
      '<choice>',
      'resend or fail: messages that the sending server may have accepted, without a response and a report',
      oneOf(...UNCONFIRMED),
    ),
    language: option('<language>', 'id or en: language of footers, pages and confirmation emails', oneOf(...LANGUAGES)),
    name: option('<text>', 'rename the workspace', newName),
  },
  examples: [
    ['workspace profile melati --business-name "Toko Melati" --address "Jl. Melati 1"', 'name and address'],
    ['workspace profile melati --track-conversions on', 'svc_mid in links'],
    ['workspace profile melati --language en', 'footers and pages in English'],
    [
      'workspace profile melati --unconfirmed resend',
      'unconfirmed messages are sent again, with the risk of a duplicate',
    ],
  ],
  check: ({ businessName, address, trackConversions, campaignApproval, unconfirmed, language, name }) =>
    requireChange(
      { businessName, address, trackConversions, campaignApproval, unconfirmed, language, name },
      'Use --business-name, --address, --track-conversions, --campaign-approval, --unconfirmed, --language or --name.',
    ),
  handler: ({ workspace: of, address: businessAddress, ...given }, session) => {
    const { businessName, trackConversions, campaignApproval, unconfirmed, language, name } = given;
    const patch = { businessName, businessAddress, trackConversions, campaignApproval, unconfirmed, language, name };
    return change(session, of, 'profile', defined(patch));
  },
  details: PROFILE,
});

export const WORKSPACE = { create, list, show, rate, suspend, resume, module: setModule, profile };
