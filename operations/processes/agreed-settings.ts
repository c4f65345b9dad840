import { createHash } from 'node:crypto';
import { formatDuration } from '../../lib/duration';
import type { SendingServer, ServerRoute } from '../../domain/sending/server-routes';
import type { Config } from '../config/config';
import { ROLES, type Role } from '../config/roles';

/** Settings of one process, by name, as text without secrets; only those that its roles use. */
export type AgreedSettings = Readonly<Record<string, string>>;

/** What the owner of the topics found wrong, as sentences. */
export interface LogFindings {
  /** Topics that are missing or not as they should be. */
  topics: readonly string[];
  /** Partitions that no process reads. */
  partitions: readonly string[];
}

/** A process as it shows itself to the others. */
export interface AgreedProcess {
  /** `dispatch on mail1, process 4711` */
  name: string;
  settings: AgreedSettings;
  /** How far its clock was ahead of the store's when it was last noted, ms. */
  skew: number;
  /** What it found as the owner of the topics; absent in every other process. */
  found?: LogFindings;
  /** The release, and the schema of its data. Absent: of a release that did not say so. */
  release?: string;
  schema?: number;
}

/** What a process knows beyond its configuration. */
export interface AgreedFacts {
  publicUrl: string;
  /** A keyed hash that only this master secret produces. */
  secretCheck: string;
}

const SHOWN_OF_HASH = 12;

/** A setting, who uses it, and what of it is compared; null: nothing. */
interface Agreed {
  name: string;
  roles: readonly Role[];
  value: (config: Config, facts: AgreedFacts) => string | null;
}

/** The URLs of sending servers go without their logins; that of alarms may be a secret by itself. */
const AGREED: readonly Agreed[] = [
  {
    name: 'KURIR_SECRET',
    roles: ROLES,
    value: (_, { secretCheck }) => `fingerprint ${secretCheck.slice(0, SHOWN_OF_HASH)}`,
  },
  { name: 'KURIR_KAFKA_PREFIX', roles: ROLES, value: ({ cluster }) => cluster?.kafka.prefix ?? null },
  { name: 'KURIR_PUBLIC_URL', roles: ['public', 'dispatch'], value: (_, { publicUrl }) => publicUrl },
  {
    name: 'KURIR_MTA_URL',
    roles: ['dispatch', 'mta-feedback', 'throttle'],
    value: (config) => ofServers(config, withoutLogins(config.mtaServers)),
  },
  {
    name: 'KURIR_MTA_ROUTES',
    roles: ['dispatch', 'throttle'],
    value: (config) => ofServers(config, config.mtaRoutes.map(inWords).join(' ') || 'none'),
  },
  {
    name: 'KURIR_EVIDENCE_WAIT',
    roles: ['dispatch', 'mta-feedback', 'timers'],
    value: ({ evidenceWait }) => formatDuration(evidenceWait),
  },
  { name: 'KURIR_REPORT_PEERS', roles: ['mta-feedback'], value: ({ reportPeers }) => listed(reportPeers) },
  {
    name: 'KURIR_DESTINATION_RULES',
    roles: ['throttle', 'dispatch', 'mta-feedback'],
    value: ({ destinations }) => (destinations ? `rules ${fingerprintOf(destinations)}` : 'off'),
  },
  { name: 'KURIR_API_RATE_PER_MINUTE', roles: ['api'], value: ({ apiRatePerMinute }) => String(apiRatePerMinute) },
  {
    name: 'KURIR_CAMPAIGN_BRAKE_PERCENT',
    roles: ['campaigns'],
    value: ({ campaignBrakePercent }) => String(campaignBrakePercent),
  },
  {
    name: 'KURIR_ALARM_URL',
    roles: ['timers'],
    value: ({ alarms: { post } }) => (post ? `fingerprint ${fingerprintOf(post)}` : 'none'),
  },
  {
    name: 'KURIR_ALARM_MAIL',
    roles: ['timers'],
    value: ({ alarms: { mail } }) => (mail ? `${mail.to} from ${mail.sender}` : 'none'),
  },
  { name: 'KURIR_BLOCKLISTS', roles: ['timers'], value: ({ blocklists }) => listed(blocklists) },
];

/** The settings in which processes with these roles must agree. */
export function agreedSettings(config: Config, facts: AgreedFacts): AgreedSettings {
  const used = AGREED.filter(({ roles }) => roles.some((role) => config.roles.includes(role)));
  const values = used.map(({ name, value }) => [name, value(config, facts)] as const);
  return Object.fromEntries(values.filter((of): of is [string, string] => of[1] !== null));
}

/** Without a sending server only dispatch knows that it is the sandbox. */
const ofServers = ({ roles, mtaUrl }: Config, value: string): string | null =>
  roles.includes('dispatch') || mtaUrl !== null ? value : null;

const listed = (values: Iterable<string>): string => [...values].sort().join(',') || 'none';

/** Whether the process hands mail over: only these have such routes. */
export const dispatches = ({ settings }: AgreedProcess): boolean => settings.KURIR_MTA_ROUTES !== undefined;

function withoutLogins(servers: readonly SendingServer[]): string {
  const [first, ...more] = servers;
  if (!first) return 'the sandbox';
  if (more.length === 0) return withoutLogin(first.url);
  return servers.map(({ name, url }) => `${name}=${withoutLogin(url)}`).join(' ');
}

/** Files with the same content have the same fingerprint, whatever their names. */
const fingerprintOf = (value: unknown): string =>
  createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, SHOWN_OF_HASH);

const inWords = ({ of, value, server }: ServerRoute): string => `${of}${value && `:${value}`}=${server}`;

function withoutLogin(url: string): string {
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  return parsed.href;
}

/** A sentence for each setting in which processes differ: the setting, and which processes have which value. */
export function differencesBetween(processes: readonly AgreedProcess[]): string[] {
  const names = [...new Set(processes.flatMap(({ settings }) => Object.keys(settings)))].sort();
  return names.flatMap((setting) => {
    const holders = new Map<string, string[]>();
    for (const { name, settings } of processes) {
      const value = settings[setting];
      if (value !== undefined) holders.set(value, [...(holders.get(value) ?? []), name]);
    }
    if (holders.size < 2) return [];
    const sides = [...holders].map(([value, own]) => `${value} in ${own.sort().join('; ')}`);
    return [`${setting} differs: ${sides.sort().join(' | ')}`];
  });
}
