import { wibDay } from '../../domain/wib';
import type { SetBackStore } from '../../stores/ports/set-back';
import { futureRows } from './future-rows';
import type { Check } from './check';

/** The time of this process, and whether the data knows a later one. */
export async function checkClock(store: Pick<SetBackStore, 'stampedAfter'>, now: number): Promise<Check> {
  const time = `${new Date(now).toISOString()}, day (WIB) ${wibDay(now)}`;
  const future = await futureRows(store, now);
  return { check: 'clock', status: future === null ? 'ok' : 'wrong', detail: future ? `${time}; ${future}` : time };
}
