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
  entry('workspace', 'workspaces: the accounts that send mail', OPERATIONS.workspace),
  entry('key', 'API keys', OPERATIONS.key),
  entry('smtp', 'logins of the SMTP relay', OPERATIONS.smtp),
  entry('domain', 'sending domains and their DNS records', OPERATIONS.domain),
  entry('coins', 'coins: top-ups, gifts, balances, the ledger', OPERATIONS.coins),
  entry('suppress', 'suppression lists: addresses that get no mail', MIXED_GROUPS.suppress),
  entry('contact', 'contacts: the people of a workspace, one by one or from a file', MIXED_GROUPS.contact),
  entry('audience', 'audiences: lists of contacts that campaigns go to', MIXED_GROUPS.audience),
  entry('campaign', 'campaigns: mails to the members of an audience', MIXED_GROUPS.campaign),
  entry('image', 'images for mails, which the public host shows', OPERATIONS.image),
  entry('template', 'templates: content that messages are composed from', MIXED_GROUPS.template),
  entry('journey', 'journeys: automated sequences that contacts go through', OPERATIONS.journey),
  entry('conversion', 'sales, the clicks that led to them, and revenue', OPERATIONS.conversion),
  entry('webhook', 'webhooks: what is sent to whom, and its outcome', OPERATIONS.webhook),
  entry(
    'switch',
    'turn the REST API or the email module on or off for all workspaces; without a state, show it',
    OPERATIONS.switch,
  ),
  entry(
    'warmup',
    "warm-up of sending domains, and the platform's daily cap while its addresses are new",
    OPERATIONS.warmup,
  ),
  entry('message', 'messages: their state and what they wait for', OPERATIONS.message),
  entry('queue', 'what waits to be sent, and what for', OPERATIONS.queue),
  entry('destination', 'the pace of mail to each provider', OPERATIONS.destination),
  entry('alarm', 'what stands against the good name of the installation', OPERATIONS.alarm),
  entry('bounce', 'how refusals are read, and what was not understood', MIXED_GROUPS.bounce),
  entry('dead-letters', 'records that could not be handled', OPERATIONS['dead-letters'], 'parked'),
  entry('due-work', 'due work that was given up', OPERATIONS['due-work']),
  entry(
    'demo',
    'show the demo workspace as first-run.json does, and create it when it is missing; the view is logged',
    async () => (await import('./demo.js')).DEMO_COMMANDS,
  ),
  entry('sandbox', 'the sending server inside the process, and the clock of the service', MIXED_GROUPS.sandbox),
  entry(
    'topics',
    'topics of the event log: check them, create missing ones, see the lag',
    async () => (await import('./topics.js')).TOPICS_COMMANDS,
  ),
  entry(
    'indexes',
    'collections and indexes of the store: check them, create missing ones',
    async () => (await import('./indexes.js')).INDEXES_COMMANDS,
  ),
  entry(
    'upgrade',
    'whether this release can take over the data',
    async () => (await import('./upgrade.js')).UPGRADE_COMMANDS,
  ),
  entry('health', 'what waits, which processes run, and what the last audit found', OPERATIONS.health),
  entry(
    'doctor',
    'look for what is wrong: rows past their deadline with their owner, lag, leases, data dir, ports, versions, clock',
    OPERATIONS.doctor,
  ),
  entry(
    'audit',
    'prove that no mail was lost, none doubled and no coin is wrong',
    async () => (await import('./audit.js')).AUDIT_COMMANDS,
  ),
  entry(
    'pii',
    'find where an address is still stored: stores, event log, attachments, caches',
    async () => (await import('./pii.js')).PII_COMMANDS,
  ),
  entry(
    'backup',
    'write the whole data dir to one file, as of one instant, while the service runs or not',
    async () => (await import('./backup.js')).BACKUP_COMMANDS,
  ),
  entry(
    'restore',
    'put a backup into an empty data dir; then start the service on it',
    async () => (await import('./restore.js')).RESTORE_COMMANDS,
  ),
  entry('admin-key', 'keys of the management API', OPERATIONS['admin-key']),
  entry('user', 'who may sign in to the dashboard, and what they may do there', OPERATIONS.user),
  entry('log', 'what operators did with this command line, views of secrets included; newest first', OPERATIONS.log),
];

/** What `kurir` starts beside the commands: a program of its own (docs/proof.md). */
export const PROOF = {
  name: 'prove',
  summary: 'try to break the promise in simulated worlds for a minute; live data is not touched',
};

/** The command that a command line is about; null when it names none of them. */
export function commandOf(argv: readonly string[]): CommandEntry | null {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const wanted = first === 'help' ? second : first;
  return (
    COMMANDS.find(({ name, formerly }) => wanted === name || (wanted !== undefined && wanted === formerly)) ?? null
  );
}
