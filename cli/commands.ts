import type { Command } from 'commander';
import type { Commands } from './support/command';

/** A command as the help of the program shows it; the rest of it is loaded when it runs. */
export interface CommandEntry {
  name: string;
  summary: string;
  formerly?: string;
  load: () => Promise<(commands: Commands) => Command>;
}

/** Every command, in the order of the help. */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'workspace',
    summary: 'workspaces: the accounts that send mail',
    load: async () => (await import('./workspace.js')).workspaceCommand,
  },
  { name: 'key', summary: 'API keys', load: async () => (await import('./key.js')).keyCommand },
  { name: 'smtp', summary: 'logins of the SMTP relay', load: async () => (await import('./smtp.js')).smtpCommand },
  {
    name: 'domain',
    summary: 'sending domains and their DNS records',
    load: async () => (await import('./domain.js')).domainCommand,
  },
  {
    name: 'coins',
    summary: 'coins: top-ups, gifts, balances, the ledger',
    load: async () => (await import('./coins.js')).coinsCommand,
  },
  {
    name: 'suppress',
    summary: 'suppression lists: addresses that get no mail',
    load: async () => (await import('./suppress.js')).suppressCommand,
  },
  {
    name: 'contact',
    summary: 'contacts: the people of a workspace, one by one or from a file',
    load: async () => (await import('./contact.js')).contactCommand,
  },
  {
    name: 'audience',
    summary: 'audiences: lists of contacts that campaigns go to',
    load: async () => (await import('./audience.js')).audienceCommand,
  },
  {
    name: 'campaign',
    summary: 'campaigns: mails to the members of an audience',
    load: async () => (await import('./campaign.js')).campaignCommand,
  },
  {
    name: 'template',
    summary: 'templates: content that messages are composed from',
    load: async () => (await import('./template.js')).templateCommand,
  },
  {
    name: 'journey',
    summary: 'journeys: automated sequences that contacts go through',
    load: async () => (await import('./journey.js')).journeyCommand,
  },
  {
    name: 'conversion',
    summary: 'sales, the clicks that led to them, and revenue',
    load: async () => (await import('./conversion.js')).conversionCommand,
  },
  {
    name: 'webhook',
    summary: 'webhooks: what is sent to whom, and what became of it',
    load: async () => (await import('./webhook.js')).webhookCommand,
  },
  {
    name: 'switch',
    summary: 'turn the REST API or the email module on or off for all workspaces; without a state, show it',
    load: async () => (await import('./switch.js')).switchCommand,
  },
  {
    name: 'warmup',
    summary: "the platform's daily cap while its addresses are new",
    load: async () => (await import('./warmup.js')).warmupCommand,
  },
  {
    name: 'message',
    summary: 'messages: their state and what they wait for',
    load: async () => (await import('./message.js')).messageCommand,
  },
  {
    name: 'bounce',
    summary: 'how refusals are read, and what was not understood',
    load: async () => (await import('./bounce.js')).bounceCommand,
  },
  {
    name: 'dead-letters',
    summary: 'records that could not be handled',
    formerly: 'parked',
    load: async () => (await import('./dead-letters.js')).deadLettersCommand,
  },
  {
    name: 'demo',
    summary: 'show the demo workspace as first-run.json does, and create it when it is missing; the view is logged',
    load: async () => (await import('./demo.js')).demoCommand,
  },
  {
    name: 'sandbox',
    summary: 'the sending server inside the process, and the clock of the service',
    load: async () => (await import('./sandbox.js')).sandboxCommand,
  },
  {
    name: 'topics',
    summary: 'topics of the event log: check them, create missing ones, see the lag',
    load: async () => (await import('./topics.js')).topicsCommand,
  },
  {
    name: 'indexes',
    summary: 'collections and indexes of the store: check them, create missing ones',
    load: async () => (await import('./indexes.js')).indexesCommand,
  },
  {
    name: 'upgrade',
    summary: 'whether this release can take over the data',
    load: async () => (await import('./upgrade.js')).upgradeCommand,
  },
  {
    name: 'doctor',
    summary:
      'look for what is wrong: rows past their deadline with their owner, lag, leases, data dir, ports, versions, clock',
    load: async () => (await import('./doctor.js')).doctorCommand,
  },
  {
    name: 'audit',
    summary: 'prove that no mail was lost, none doubled and no coin is wrong',
    load: async () => (await import('./audit.js')).auditCommand,
  },
  {
    name: 'pii',
    summary: 'find where an address is still stored: stores, event log, attachments, caches',
    load: async () => (await import('./pii.js')).piiCommand,
  },
  {
    name: 'backup',
    summary: 'write the whole data dir to one file, as of one instant, while the service runs or not',
    load: async () => (await import('./backup.js')).backupCommand,
  },
  {
    name: 'restore',
    summary: 'put a backup into an empty data dir; then start the service on it',
    load: async () => (await import('./restore.js')).restoreCommand,
  },
  {
    name: 'log',
    summary: 'what operators did with this command line, views of secrets included; newest first',
    load: async () => (await import('./log.js')).logCommand,
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
