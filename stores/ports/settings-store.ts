/** Settings of the whole installation: JSON values by name. */
export interface SettingsStore {
  get(name: SettingName): Promise<unknown>;
  set(name: SettingName, value: unknown): Promise<void>;
  /**
   * Compare-and-set: writes only if the value is still `expected`, as returned by `get` (undefined = none). False if it
   * is not.
   */
  replace(name: SettingName, expected: unknown, value: unknown): Promise<boolean>;
  /** Writes only if there is no value yet. Returns the stored value. */
  setOnce(name: SettingName, value: unknown): Promise<unknown>;
}

export const SETTING_NAMES = [
  /** { api: boolean, module: boolean }: the operator's switches; absent = on. */
  'switches',
  /** Mails per WIB day for the whole platform; null = no cap. */
  'warmup_cap',
  /** A value that only the right master secret can produce. Detects a lost or changed secret before it does harm. */
  'secret_check',
  /**
   * { mxHost, spf }, each a string or null: used in the DNS records printed for sending domains (see
   * domain/settings/dns-records).
   */
  'dns',
  /** True once the demo workspace was created. */
  'first_run',
  /** An id of the visit that was shown the key of the demo; absent: none yet (app/services/start-page.ts). */
  'demo_key_shown',
  /**
   * May the demo workspace send by a real sending server (operations/installation/demo-mail.ts)? `made`: it was made
   * with one. `suspended`: it was suspended once, and the operator decides since. Absent or null: not decided.
   */
  'demo_mail',
  /** How far the clock is ahead of real time after `sandbox advance`, ms; absent = 0. Only ever grows. */
  'clock_offset',
  /** The id of this installation, a UUID made at its first start (operations/installation/installation-id.ts). */
  'installation_id',
  /** The prefix of the topics that this installation is bound to (app/cluster-settings/bound-prefix.ts). */
  'topic_prefix',
  /** How many partitions each topic has had (streams/partitions.ts). */
  'partitions',
  /** What each running process of a cluster shows the others (operations/processes/process-register.ts). */
  'processes',
  /** How far each log of Postfix was read, by its place (consumers/postfix-log/log-progress.ts). */
  'postfix_logs',
  /** The last audit that an operator started in the service, and the one that runs (operations/audit/kept-audit.ts). */
  'audit',
  /** The leases of the processes that hand over to the Postfix of each log, by its place. */
  'postfix_processes',
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];
