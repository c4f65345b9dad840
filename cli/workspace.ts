import type { Command } from 'commander';
import { highestRate } from '../app/operator/pace';
import { isPremium } from '../domain/ledger/coins';
import { LANGUAGES } from '../domain/settings/language';
import { sendRate } from '../domain/queue/send-rate';
import { wibDay } from '../domain/wib';
import type { Workspace } from '../domain/settings/workspace';
import type { WorkspacePatch } from '../stores/ports/workspace-store';
import { cancelForWorkspace } from '../commands/webhooks/cancel-for-workspace';
import type { Commands, Session, VerbSpec } from './support/command';
import { CommandError, UsageError } from './support/errors';
import { oneOf, onOff, reference, text, type Input } from './support/input';
import { findWorkspace } from './support/lookups';
import type { Answer } from './support/output';
import { fields, table } from './support/table';
import { jsonTime, showTime } from './support/times';

const WORKSPACE = ['<workspace>', 'id or name'] as const;
const word = (on: boolean): string => (on ? 'on' : 'off');
const state = ({ suspended }: Workspace): string => (suspended ? 'suspended' : 'active');

const present = (workspace: Workspace) => ({
  id: workspace.id,
  name: workspace.name,
  status: state(workspace),
  email_module: workspace.emailModule,
  business_name: workspace.businessName,
  business_address: workspace.businessAddress,
  track_conversions: workspace.trackConversions,
  language: workspace.language,
  created_at: jsonTime(workspace.createdAt),
});

const profileFields = (workspace: Workspace) =>
  [
    ['id', workspace.id],
    ['name', workspace.name],
    ['status', state(workspace), 'status'],
    ['email module', word(workspace.emailModule), 'status'],
    ['business name', workspace.businessName],
    ['business address', workspace.businessAddress || null],
    ['conversion tracking', word(workspace.trackConversions)],
    ['language', workspace.language],
    ['created', showTime(workspace.createdAt)],
  ] as const;

const answerWorkspace = ({ paint }: Session, workspace: Workspace): Answer => ({
  text: fields(paint, profileFields(workspace)),
  json: present(workspace),
});

/** A name that cannot be mistaken for an id. */
const newName = (raw: string): string => {
  const name = text(255)(raw);
  if (/^\d+$/.test(name)) throw new RangeError('must not be a number: workspaces are also given by id');
  return name;
};

const create: VerbSpec = {
  name: 'create',
  summary: 'create a workspace with the email module on and no coins',
  args: [['<name>', 'name of the workspace; must not be taken']],
  options: [
    ['--business-name <text>', 'sender name and {{bisnis}}; default: the name'],
    ['--address <text>', 'business address, shown in the footer of every mail'],
  ],
  examples: [
    ['workspace create "Toko Melati"', 'a workspace'],
    ['workspace create melati --business-name "Toko Melati" --address "Jl. Melati 1, Bandung"', 'with its profile'],
  ],
  run: (input) => {
    const name = input.arg('name', newName);
    const businessName = input.option('businessName', text()) ?? name;
    const businessAddress = input.option('address', text(500)) ?? '';
    return async (session) => {
      await refuseTaken(session, name);
      await session.note('workspace create', name, null);
      const accounts = await session.accounts();
      return answerWorkspace(session, await accounts.createWorkspace({ name, businessName, businessAddress }));
    };
  },
};

async function refuseTaken({ stores }: Session, name: string): Promise<void> {
  const taken = (await stores.workspaces.list()).find((other) => other.name.toLowerCase() === name.toLowerCase());
  if (!taken) return;
  throw new CommandError(`<name>: workspace ${taken.id} is called "${taken.name}".`, 'Choose another name.', '<name>');
}

const list: VerbSpec = {
  name: 'list',
  summary: 'all workspaces',
  examples: [['workspace list', 'one per line']],
  run: () => async (session) => {
    const workspaces = await session.stores.workspaces.list();
    const accounts = await Promise.all(workspaces.map(({ id }) => session.stores.coins.account(id)));
    const now = session.clock.now();
    const rows = workspaces.map((workspace, i) => {
      const account = accounts[i] ?? { workspaceId: workspace.id, balance: 0 };
      return { workspace, balance: account.balance, premium: isPremium(account, now) };
    });
    return {
      text: table(
        session.paint,
        [
          { title: 'id' },
          { title: 'name' },
          { title: 'status', status: true },
          { title: 'module', status: true },
          { title: 'coins' },
          { title: 'account' },
        ],
        rows.map(({ workspace, balance, premium }) => [
          workspace.id,
          workspace.name,
          state(workspace),
          word(workspace.emailModule),
          balance,
          premium ? 'premium' : 'free',
        ]),
        'No workspaces yet. Create one: kurir workspace create <name>',
      ),
      json: {
        data: rows.map(({ workspace, balance, premium }) => ({ ...present(workspace), coins: balance, premium })),
      },
    };
  },
};

const show: VerbSpec = {
  name: 'show',
  summary: 'one workspace: profile, coins, send rate, domains, keys, logins',
  args: [WORKSPACE],
  examples: [
    ['workspace show 1', 'by id'],
    ['workspace show Demo', 'by name'],
  ],
  run: (input) => {
    const ref = input.arg('workspace', reference);
    return async (session) => showWorkspace(session, await findWorkspace(session.stores, ref));
  },
};

async function showWorkspace({ stores, clock, paint }: Session, workspace: Workspace): Promise<Answer> {
  const now = clock.now();
  const account = await stores.coins.account(workspace.id);
  const premium = isPremium(account, now);
  const { perMinute, perDay } = sendRate(premium, await highestRate(stores.settings));
  const today = await stores.queue.claimsOn(wibDay(now), workspace.id);
  const domains = await stores.domains.list(workspace.id);
  const keys = (await stores.credentials.listKeys(workspace.id)).filter(({ revokedAt }) => revokedAt === null);
  const logins = await stores.credentials.listLogins(workspace.id);
  const rate = `${perMinute}/minute${perDay === null ? '' : `, ${perDay}/day`} (${premium ? 'premium' : 'free'})`;
  return {
    text: fields(paint, [
      ...profileFields(workspace),
      ['coins', account.balance],
      ['send rate', rate],
      ['sent this WIB day', today],
      ['domains', domains.map(({ domain, status }) => `${domain} (${status})`).join(', ') || null],
      ['API keys', keys.map(({ name }) => name).join(', ') || null],
      ['SMTP logins', logins.map(({ username }) => username).join(', ') || null],
    ]),
    json: {
      ...present(workspace),
      coins: account.balance,
      premium,
      send_per_minute: perMinute,
      send_per_day: perDay,
      claimed_today: today,
      domains: domains.map(({ id, domain, status }) => ({ id, domain, status })),
      keys: keys.map(({ id, name }) => ({ id, name })),
      logins: logins.map(({ id, username }) => ({ id, username })),
    },
  };
}

/** A verb that changes fields of a workspace. */
function changing(spec: Omit<VerbSpec, 'run'>, read: (input: Input) => WorkspacePatch): VerbSpec {
  return {
    ...spec,
    run: (input) => {
      const ref = input.arg('workspace', reference);
      const patch = read(input);
      return async (session) => {
        const { id, name } = await findWorkspace(session.stores, ref);
        if (patch.name !== undefined && patch.name !== name) await refuseTaken(session, patch.name);
        const what = Object.entries(patch).map(([field, value]) => `${field}=${String(value)}`);
        await session.note(`workspace ${spec.name}`, `${name}: ${what.join(', ')}`, id);
        // Before the workspace is active again: events of the time before are not sent later.
        if (patch.suspended === false) await session.stores.webhooks.restart(id, session.clock.now());
        const workspace = await session.stores.workspaces.update(id, patch);
        if (!workspace) throw new CommandError(`Workspace ${id} is gone.`, '', '<workspace>');
        if (patch.suspended === true) await cancelForWorkspace(session.stores, id);
        return answerWorkspace(session, workspace);
      };
    },
  };
}

const suspend = changing(
  {
    name: 'suspend',
    summary: 'suspend a workspace: its calls answer 403, its queued mail fails with "Workspace disuspend."',
    args: [WORKSPACE],
    examples: [['workspace suspend "Toko Melati"', 'takes effect at once']],
  },
  () => ({ suspended: true }),
);

const resume = changing(
  {
    name: 'resume',
    summary: 'resume a suspended workspace',
    args: [WORKSPACE],
    examples: [['workspace resume 3', 'its calls are answered again']],
  },
  () => ({ suspended: false }),
);

const moduleVerb = changing(
  {
    name: 'module',
    summary: 'turn the Email Marketing module of a workspace on or off',
    args: [WORKSPACE, ['<state>', 'on or off']],
    examples: [['workspace module melati off', 'its calls answer 403']],
  },
  (input) => ({ emailModule: input.arg('state', onOff) }),
);

const profile = changing(
  {
    name: 'profile',
    summary: 'change what mails and pages say about the business',
    args: [WORKSPACE],
    options: [
      ['--business-name <text>', 'sender name and {{bisnis}}'],
      ['--address <text>', 'business address in the footer'],
      ['--track-conversions <state>', 'on or off: add svc_mid to tracked links'],
      ['--language <language>', 'id or en: of footers, pages and confirmation mails'],
      ['--name <text>', 'rename the workspace'],
    ],
    examples: [
      ['workspace profile melati --business-name "Toko Melati" --address "Jl. Melati 1"', 'name and address'],
      ['workspace profile melati --track-conversions on', 'svc_mid in links'],
      ['workspace profile melati --language en', 'footers and pages in English'],
    ],
  },
  (input) => {
    const businessName = input.option('businessName', text());
    const businessAddress = input.option('address', text(500));
    const trackConversions = input.option('trackConversions', onOff);
    const language = input.option('language', oneOf(...LANGUAGES));
    const name = input.option('name', newName);
    const patch: WorkspacePatch = {
      ...(businessName !== undefined && { businessName }),
      ...(businessAddress !== undefined && { businessAddress }),
      ...(trackConversions !== undefined && { trackConversions }),
      ...(language !== undefined && { language }),
      ...(name !== undefined && { name }),
    };
    if (Object.keys(patch).length > 0) return patch;
    throw new UsageError(
      'Nothing to change.',
      'Give --business-name, --address, --track-conversions, --language or --name.',
    );
  },
);

/** The `kurir workspace` commands. */
export const workspaceCommand = (commands: Commands): Command =>
  commands.group('workspace', 'workspaces: the accounts that send mail', [
    create,
    list,
    show,
    suspend,
    resume,
    moduleVerb,
    profile,
  ]);
