import { formatDuration } from '../../lib/duration';
import type { Config } from '../config/config';
import type { Role } from '../config/roles';
import type { LogFindings } from './topic-keeper';

/** Settings of one process, by name, as text without secrets; only those that its roles use. */
export type AgreedSettings = Readonly<Record<string, string>>;

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

/**
 * The settings in which processes with these roles must agree. The URL of the sending server goes without its login.
 */
export function agreedSettings(config: Config, facts: AgreedFacts): AgreedSettings {
  const { roles, cluster } = config;
  const has = (...wanted: readonly Role[]): boolean => wanted.some((role) => roles.includes(role));
  const settings: Record<string, string> = {
    KURIR_SECRET: `fingerprint ${facts.secretCheck.slice(0, SHOWN_OF_HASH)}`,
  };
  if (cluster) settings.KURIR_KAFKA_PREFIX = cluster.kafka.prefix;
  if (has('public', 'dispatch')) settings.KURIR_PUBLIC_URL = facts.publicUrl;
  if (has('dispatch') || (has('mta-feedback') && config.mtaUrl !== null)) {
    settings.KURIR_MTA_URL = config.mtaUrl === null ? 'the sandbox' : withoutLogin(config.mtaUrl);
  }
  if (has('dispatch', 'mta-feedback', 'timers')) settings.KURIR_EVIDENCE_WAIT = formatDuration(config.evidenceWait);
  if (has('mta-feedback')) settings.KURIR_REPORT_PEERS = [...config.reportPeers].sort().join(',') || 'none';
  if (has('api')) settings.KURIR_API_RATE_PER_MINUTE = String(config.apiRatePerMinute);
  if (has('api', 'smtp', 'throttle')) settings.KURIR_PREMIUM_PER_MINUTE = String(config.premiumPerMinute);
  if (has('campaigns')) settings.KURIR_CAMPAIGN_BRAKE_PERCENT = String(config.campaignBrakePercent);
  return settings;
}

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
