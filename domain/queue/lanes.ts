import type { Lane } from '../messages/message';

/**
 * Ten turns: transactional 8, journeys 1, campaigns 1 (docs/architecture.md#pacing-and-claim), spread so that no lane
 * waits for a whole round.
 */
const TURNS: readonly Lane[] = [
  'transactional',
  'transactional',
  'transactional',
  'transactional',
  'journey',
  'transactional',
  'transactional',
  'transactional',
  'transactional',
  'campaign',
];

/**
 * Divides `places` among the lanes that have due messages, 8:1:1, starting at turn `cursor`; a lane without due
 * messages passes its turns on. Returns the places of each lane and the cursor to continue from.
 */
export function dealLanes(
  due: readonly Lane[],
  places: number,
  cursor: number,
): { shares: Map<Lane, number>; cursor: number } {
  const shares = new Map<Lane, number>();
  let turn = cursor;
  if (due.length === 0) return { shares, cursor };
  for (let left = places; left > 0; turn += 1) {
    const lane = TURNS[turn % TURNS.length]!;
    if (!due.includes(lane)) continue;
    shares.set(lane, (shares.get(lane) ?? 0) + 1);
    left -= 1;
  }
  return { shares, cursor: turn % TURNS.length };
}
