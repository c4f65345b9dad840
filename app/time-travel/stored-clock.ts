import { formatDuration } from '../../lib/duration';
import type { SettingsStore } from '../../stores/ports/settings-store';
import type { AdvancingClock } from '../../lib/advancing-clock';
import { StartError } from '../../lib/start-error';

const SETTING = 'clock_offset';

/**
 * How far ahead of real time the clock was moved on this data, ms. Throws StartError when the stored value is invalid.
 */
async function readOffset(settings: Pick<SettingsStore, 'get'>): Promise<number> {
  const offset = (await settings.get(SETTING)) ?? 0;
  if (typeof offset === 'number' && Number.isSafeInteger(offset) && offset >= 0) return offset;
  throw new StartError(`The stored clock offset is damaged (${JSON.stringify(offset)}): restore a backup.`);
}

/**
 * Moves the clock to where time travel has brought the data: due times and timestamps are there, and time never goes
 * back. Returns the offset, ms.
 */
export async function restoreClock(clock: AdvancingClock, settings: Pick<SettingsStore, 'get'>): Promise<number> {
  const offset = await readOffset(settings);
  clock.moveTo(offset);
  return offset;
}

/**
 * Does the same for a service about to start: with a real sending server there is only real time. Throws StartError.
 */
export async function clockForStart(
  clock: AdvancingClock,
  settings: Pick<SettingsStore, 'get'>,
  mtaUrl: string | null,
): Promise<void> {
  const offset = await restoreClock(clock, settings);
  if (offset === 0 || mtaUrl === null) return;
  throw new StartError(
    `The clock of this data directory is ${formatDuration(offset)} ahead (kurir sandbox advance), but a real sending server needs real time: ` +
      'use another KURIR_DATA_DIR, or go back to the sandbox (without KURIR_MTA_URL).',
  );
}

/**
 * Puts the clock `offset` ms ahead of real time. Stores the offset first, so that after a crash the time is not behind
 * any timestamp.
 */
export async function moveClock(
  clock: AdvancingClock,
  settings: Pick<SettingsStore, 'set'>,
  offset: number,
): Promise<void> {
  if (offset > clock.offset) await settings.set(SETTING, offset);
  clock.moveTo(offset);
}
