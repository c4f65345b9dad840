import { DAY } from '../../lib/clock';
import type { SettingName, SettingsStore } from '../../stores/ports/settings-store';
import { readPosition, type LogPosition } from './log-position';

/** A place in the log, and a moment: every line written from then on is behind it. */
export interface Checkpoint {
  /** ms */
  at: number;
  position: LogPosition;
}

/** How far a log was read. A start begins at the older checkpoint, to know again what the log says. */
export interface LogProgress {
  older: Checkpoint;
  newer: Checkpoint;
  /** Deferrals before this were passed on. */
  done: LogPosition;
  savedAt: number;
  /** Since when the log counts as that of our server (see LogEvidence). */
  shownFrom: number | null;
}

/** Leases of processes that are remembered for one log. */
const MAX_LEASES = 300;
/** Logs whose processes are remembered: a container that is made anew has a new name. */
const MAX_PLACES = 1_000;
/** A place that was not read for this long is gone. */
const KEPT = 30 * DAY;

type ByPlace<T> = Readonly<Record<string, T>>;

/** The stored progress of a log; null when there is none, or it is unreadable. */
export async function readProgress(settings: SettingsStore, place: string): Promise<LogProgress | null> {
  const all = ((await settings.get('postfix_logs')) ?? {}) as ByPlace<Partial<LogProgress> | undefined>;
  const { older, newer, done, savedAt, shownFrom } = all[place] ?? {};
  const isRight = [older?.position, newer?.position, done].every((position) => readPosition(position) !== null);
  if (!isRight || !older || !newer || !done) return null;
  return { older, newer, done, savedAt: savedAt ?? 0, shownFrom: shownFrom ?? null };
}

/** Stores it, and forgets logs that were not read for a month. */
export async function saveProgress(settings: SettingsStore, place: string, progress: LogProgress): Promise<void> {
  await change<LogProgress>(settings, 'postfix_logs', (all) => {
    const kept = Object.entries(all).filter(([, { savedAt }]) => savedAt > progress.savedAt - KEPT);
    return { ...Object.fromEntries(kept), [place]: progress };
  });
}

/** Notes that a process with this lease hands over to the Postfix of this log. */
export async function addLease(settings: SettingsStore, place: string, lease: string): Promise<void> {
  await change<string[]>(settings, 'postfix_processes', (all) => {
    const { [place]: known = [], ...others } = all;
    const kept = Object.entries(others).slice(1 - MAX_PLACES);
    const leases = [...known.filter((one) => one !== lease), lease].slice(-MAX_LEASES);
    return { ...Object.fromEntries(kept), [place]: leases };
  });
}

/** The leases of the processes that hand over to the Postfix of this log. */
export async function readLeases(settings: SettingsStore, place: string): Promise<ReadonlySet<string>> {
  const all = ((await settings.get('postfix_processes')) ?? {}) as ByPlace<string[]>;
  return new Set(all[place] ?? []);
}

/** Several processes may write at once, each its own place. */
async function change<T>(
  settings: SettingsStore,
  name: SettingName,
  decide: (all: ByPlace<T>) => ByPlace<T>,
): Promise<void> {
  for (;;) {
    const found = await settings.get(name);
    if (await settings.replace(name, found, decide((found ?? {}) as ByPlace<T>))) return;
  }
}
