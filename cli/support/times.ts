import { wibTime } from '../../domain/wib';
import { formatDuration } from '../../lib/duration';
import { objectTime } from '../../schemas/rules/timestamps';

/** A time for programs: the object form of the API (docs/contract.md#time); null stays null. */
export const jsonTime = (at: number | null): string | null => (at === null ? null : objectTime(at));

/** The zones that times are shown in to people. */
type Zone = 'WIB' | 'UTC';
let zone: Zone = 'WIB';

/** Sets the zone of `showTime` for the command that runs. */
export function showTimesIn(wanted: Zone): void {
  zone = wanted;
}

const utcTime = (at: number): string => new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** A time for people, to the second and with its zone: WIB, in which the days of the service change, or UTC. Null for none. */
export const showTime = (at: number | null): string | null =>
  at === null ? null : `${zone === 'UTC' ? utcTime(at) : wibTime(at)} ${zone}`;

/** Distance to a time: `in 3d 4h`, `10m ago`, `now`. */
export function showDistance(at: number, now: number): string {
  const length = formatDuration(Math.abs(at - now));
  if (length === '0s') return 'now';
  return at > now ? `in ${length}` : `${length} ago`;
}
