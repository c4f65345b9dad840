import { formatDuration } from '../../lib/duration';
import { objectTime } from '../../schemas/timestamps';

/** A time for programs: the object form of the API (docs/contract.md#time); null stays null. */
export const jsonTime = (at: number | null): string | null => (at === null ? null : objectTime(at));

/** A time for people, in UTC to the second; `-` for none. */
export const showTime = (at: number | null): string | null =>
  at === null ? null : `${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

/** Distance to a time: `in 3d 4h`, `10m ago`, `now`. */
export function showDistance(at: number, now: number): string {
  const length = formatDuration(Math.abs(at - now));
  if (length === '0s') return 'now';
  return at > now ? `in ${length}` : `${length} ago`;
}
