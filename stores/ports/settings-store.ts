/** Small facts of the whole installation, as JSON values under a name. */
export interface SettingsStore {
  get(name: SettingName): Promise<unknown>;
  set(name: SettingName, value: unknown): Promise<void>;
  /** Compare-and-set: writes when the value is still `held` (undefined = none), as `get` answered it; false when it is not. */
  replace(name: SettingName, held: unknown, value: unknown): Promise<boolean>;
  /** Writes only when there is none; answers the value that now stands. */
  setOnce(name: SettingName, value: unknown): Promise<unknown>;
}

export const SETTING_NAMES = [
  /** { api: boolean, module: boolean }: the operator's switches; absent = on. */
  'switches',
  /** Mails a WIB day for the whole platform; null = no cap. */
  'warmup_cap',
  /** A value only the right master secret can make; tells a lost or changed secret before it does harm. */
  'secret_check',
  /** { mxHost, spf }, each text or null: what the printed DNS records of sending domains name (see domain/dns-records). */
  'dns',
  /** True once the demo workspace was made. */
  'first_run',
  /** How far the clock is ahead of real time, ms, after `sandbox advance`; absent = 0. Only ever grows. */
  'clock_offset',
] as const;
export type SettingName = (typeof SETTING_NAMES)[number];
