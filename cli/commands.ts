import { OPERATIONS } from '../operations/catalogue';
import { MIXED_GROUPS } from './mixed-groups';
import type { CommandEntry } from './support/command';

const entry = (name: string, summary: string, load: CommandEntry['load'], formerly?: string): CommandEntry => ({
  name,
  summary,
  load,
  ...(formerly !== undefined && { formerly }),
});

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  entry('workspace', 'manage workspaces: the contacts, domains and coins of one business each', OPERATIONS.workspace),
  entry('key', 'manage API keys', OPERATIONS.key),
  entry('smtp', 'manage SMTP relay logins', OPERATIONS.smtp),
  entry('domain', 'manage sending domains and their DNS records', OPERATIONS.domain),
  entry('coins', 'manage coins: top-ups, gifts, balances and the ledger', OPERATIONS.coins),
  entry('suppress', 'manage suppression lists: addresses that are never sent to', MIXED_GROUPS.suppress),
  entry('contact', 'manage the contacts of a workspace, and import them', MIXED_GROUPS.contact),
  entry('audience', 'manage audiences: groups of contacts that campaigns are sent to', MIXED_GROUPS.audience),
  entry('campaign', 'manage campaigns: one email to an audience', MIXED_GROUPS.campaign),
  entry('image', 'manage the images that emails use', OPERATIONS.image),
  entry('template', 'manage email templates', MIXED_GROUPS.template),
  entry('journey', 'manage journeys: emails sent step by step after a trigger', OPERATIONS.journey),
  entry('conversion', 'view sales, the clicks behind them, and revenue', OPERATIONS.conversion),
  entry('webhook', 'manage webhooks and their deliveries', OPERATIONS.webhook),
  entry(
    'switch',
    'turn the REST API or the email module on or off for all workspaces; without a state, show it',
    OPERATIONS.switch,
  ),
  entry(
    'warmup',
    'warm up sending domains, and limit how many emails the installation sends per day',
    OPERATIONS.warmup,
  ),
  entry('message', 'view messages: their status, timeline and content', OPERATIONS.message),
  entry('queue', 'view the queue by workspace', OPERATIONS.queue),
  entry('destination', 'view and resume sending to each provider', OPERATIONS.destination),
  entry('alarm', 'view alarms about deliverability', OPERATIONS.alarm),
  entry('bounce', 'view how bounces are classified, and those that no rule matches', MIXED_GROUPS.bounce),
  entry('dead-letters', 'view and retry records that could not be processed', OPERATIONS['dead-letters'], 'parked'),
  entry('due-work', 'view and retry failed jobs', OPERATIONS['due-work']),
  entry(
    'demo',
    'show the demo workspace as in first-run.json, and create it if it is missing; the view is logged',
    async () => (await import('./demo.js')).DEMO_COMMANDS,
  ),
  entry('sandbox', 'work with the built-in sandbox sending server and its clock', MIXED_GROUPS.sandbox),
  entry(
    'topics',
    'manage the topics of the event log: check, create, grow and move them, and see consumer lag',
    async () => (await import('./topics.js')).TOPICS_COMMANDS,
  ),
  entry(
    'indexes',
    'check the collections and indexes of the store, and create missing ones',
    async () => (await import('./indexes.js')).INDEXES_COMMANDS,
  ),
  entry(
    'upgrade',
    'check whether this release can use the existing data',
    async () => (await import('./upgrade.js')).UPGRADE_COMMANDS,
  ),
  entry('health', 'show queues, processes, consumer lag and the last audit', OPERATIONS.health),
  entry(
    'doctor',
    'diagnose problems: overdue messages, consumer lag, leases, data directory, ports, versions and clock',
    OPERATIONS.doctor,
  ),
  entry(
    'audit',
    'check that no message was lost or sent twice, and that every coin is accounted for',
    async () => (await import('./audit.js')).AUDIT_COMMANDS,
  ),
  entry(
    'pii',
    'find everywhere an email address is still stored: stores, event log, attachments and caches',
    async () => (await import('./pii.js')).PII_COMMANDS,
  ),
  entry(
    'backup',
    'write the whole data directory to one file, consistent at one moment; the service may keep running',
    async () => (await import('./backup.js')).BACKUP_COMMANDS,
  ),
  entry(
    'restore',
    'restore a backup into an empty data directory',
    async () => (await import('./restore.js')).RESTORE_COMMANDS,
  ),
  entry('admin-key', 'manage keys of the management API', OPERATIONS['admin-key']),
  entry('user', 'manage users: who can sign in to the dashboard, and their roles', OPERATIONS.user),
  entry(
    'log',
    'show the audit log: who did what from the command line and the dashboard, newest first',
    OPERATIONS.log,
  ),
];

/** What `kurir` starts beside the commands: a program of its own (docs/proof.md). */
export const PROOF = {
  name: 'prove',
  summary: 'test the guarantees in simulated worlds for one minute; live data is not touched',
};

/** The command that a command line is about; null when it names none of them. */
export function commandOf(argv: readonly string[]): CommandEntry | null {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const wanted = first === 'help' ? second : first;
  return (
    COMMANDS.find(({ name, formerly }) => wanted === name || (wanted !== undefined && wanted === formerly)) ?? null
  );
}
