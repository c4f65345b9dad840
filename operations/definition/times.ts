import { formatDuration } from '../../lib/duration';

/** Distance to a time: `in 3d 4h`, `10m ago`, `now`. */
export function showDistance(at: number, now: number): string {
  const length = formatDuration(Math.abs(at - now));
  if (length === '0s') return 'now';
  return at > now ? `in ${length}` : `${length} ago`;
}
