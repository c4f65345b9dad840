import { MIXED_GROUPS } from './mixed-groups';
import type { CommandEntry } from './support/command';

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'workspace',
    summary: 'workspaces: the accounts that send mail',
    load: async () => (await import('../operations/workspace.js')).WORKSPACE_OPERATIONS,
  },
  {
    name: 'key',
    summary: 'API keys',
    load: async () => (await import('../operations/key.js')).KEY_OPERATIONS,
  },
  {
    name: 'smtp',
    summary: 'logins of the SMTP relay',
    load: async () => (await import('../operations/smtp.js')).SMTP_OPERATIONS,
  },
  {
    name: 'domain',
    summary: 'sending domains and their DNS records',
    load: async () => (await import('../operations/domain.js')).DOMAIN_OPERATIONS,
  },
  {
    name: 'coins',
    summary: 'coins: top-ups, gifts, balances, the ledger',
    load: async () => (await import('../operations/coins.js')).COINS_OPERATIONS,
  },
  {
    name: 'suppress',
    summary: 'suppression lists: addresses that get no mail',
    load: MIXED_GROUPS.suppress,
  },
  {
    name: 'contact',
    summary: 'contacts: the people of a workspace, one by one or from a file',
    load: MIXED_GROUPS.contact,
  },
  {
    name: 'audience',
    summary: 'audiences: lists of contacts that campaigns go to',
    load: MIXED_GROUPS.audience,
  },
  {
    name: 'campaign',
    summary: 'campaigns: mails to the members of an audience',
    load: MIXED_GROUPS.campaign,
  },
  {
    name: 'template',
    summary: 'templates: content that messages are composed from',
    load: MIXED_GROUPS.template,
  },
  {
    name: 'journey',
    summary: 'journeys: automated sequences that contacts go through',
    load: async () => (await import('../operations/journey.js')).JOURNEY_OPERATIONS,
  },
  {
    name: 'conversion',
    summary: 'sales, the clicks that led to them, and revenue',
    load: async () => (await import('../operations/conversion.js')).CONVERSION_OPERATIONS,
  },
  {
    name: 'webhook',
    summary: 'webhooks: what is sent to whom, and what became of it',
    load: async () => (await import('../operations/webhook.js')).WEBHOOK_OPERATIONS,
  },
  {
    name: 'switch',
    summary: 'turn the REST API or the email module on or off for all workspaces; without a state, show it',
    load: async () => (await import('../operations/installation.js')).SWITCH_OPERATIONS,
  },
  {
    name: 'warmup',
    summary: "the platform's daily cap while its addresses are new",
    load: async () => (await import('../operations/installation.js')).WARMUP_OPERATIONS,
  },
  {
    name: 'message',
    summary: 'messages: their state and what they wait for',
    load: async () => (await import('../operations/message.js')).MESSAGE_OPERATIONS,
  },
  {
    name: 'bounce',
    summary: 'how refusals are read, and what was not understood',
    load: MIXED_GROUPS.bounce,
  },
  {
    name: 'dead-letters',
    summary: 'records that could not be handled',
    formerly: 'parked',
    load: async () => (await import('../operations/dead-letters.js')).DEAD_LETTER_OPERATIONS,
  },
  {
    name: 'demo',
    summary: 'show the demo workspace as first-run.json does, and create it when it is missing; the view is logged',
    load: async () => (await import('./demo.js')).DEMO_COMMANDS,
  },
  {
    name: 'sandbox',
    summary: 'the sending server inside the process, and the clock of the service',
    load: MIXED_GROUPS.sandbox,
  },
  {
    name: 'topics',
    summary: 'topics of the event log: check them, create missing ones, see the lag',
    load: async () => (await import('./topics.js')).TOPICS_COMMANDS,
  },
  {
    name: 'indexes',
    summary: 'collections and indexes of the store: check them, create missing ones',
    load: async () => (await import('./indexes.js')).INDEXES_COMMANDS,
  },
  {
    name: 'upgrade',
    summary: 'whether this release can take over the data',
    load: async () => (await import('./upgrade.js')).UPGRADE_COMMANDS,
  },
  {
    name: 'doctor',
    summary:
      'look for what is wrong: rows past their deadline with their owner, lag, leases, data dir, ports, versions, clock',
    load: async () => (await import('./doctor.js')).DOCTOR_COMMANDS,
  },
  {
    name: 'audit',
    summary: 'prove that no mail was lost, none doubled and no coin is wrong',
    load: async () => (await import('./audit.js')).AUDIT_COMMANDS,
  },
  {
    name: 'pii',
    summary: 'find where an address is still stored: stores, event log, attachments, caches',
    load: async () => (await import('./pii.js')).PII_COMMANDS,
  },
  {
    name: 'backup',
    summary: 'write the whole data dir to one file, as of one instant, while the service runs or not',
    load: async () => (await import('./backup.js')).BACKUP_COMMANDS,
  },
  {
    name: 'restore',
    summary: 'put a backup into an empty data dir; then start the service on it',
    load: async () => (await import('./restore.js')).RESTORE_COMMANDS,
  },
  {
    name: 'log',
    summary: 'what operators did with this command line, views of secrets included; newest first',
    load: async () => (await import('../operations/installation.js')).LOG_OPERATIONS,
  },
];

/** The command that a command line is about; null when it names none of them. */
export function commandOf(argv: readonly string[]): CommandEntry | null {
  const [first, second] = argv.filter((word) => !word.startsWith('-'));
  const wanted = first === 'help' ? second : first;
  return (
    COMMANDS.find(({ name, formerly }) => wanted === name || (wanted !== undefined && wanted === formerly)) ?? null
  );
}
