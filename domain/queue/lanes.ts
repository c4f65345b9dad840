import { LANES, type Lane } from '../messages/message';

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

/** What takes its turn in a line of its lane. Of one lane, what asked first goes first. */
export interface InLane {
  readonly lane: Lane;
  /** Its place in the order of asking. */
  readonly number: number;
}

/**
 * Lines of the lanes that wait for one thing. They are served by turns as `dealLanes` deals them; a lane in which
 * nothing waits passes its turns on.
 */
export class LaneLines<T extends InLane> {
  private readonly lines: Readonly<Record<Lane, T[]>> = { transactional: [], journey: [], campaign: [] };
  private cursor = 0;

  get size(): number {
    return LANES.reduce((sum, lane) => sum + this.lines[lane].length, 0);
  }

  /** Puts it into the line of its lane, at its place. */
  add(item: T): void {
    const line = this.lines[item.lane];
    const behind = line.findLastIndex(({ number }) => number < item.number);
    line.splice(behind + 1, 0, item);
  }

  /** Takes it out of its line; false when it is in none. */
  delete(item: T): boolean {
    const line = this.lines[item.lane];
    const at = line.indexOf(item);
    if (at >= 0) line.splice(at, 1);
    return at >= 0;
  }

  /** Whose turn it is, of the lanes that may have one; undefined when nothing of them waits. */
  next(may: (lane: Lane) => boolean = () => true): T | undefined {
    for (let turn = 0; turn < TURNS.length; turn += 1) {
      const lane = TURNS[(this.cursor + turn) % TURNS.length]!;
      const [first] = this.lines[lane];
      if (first && may(lane)) return first;
    }
    return undefined;
  }

  /** Takes out whose turn it is, and goes on to the next turn. */
  take(may?: (lane: Lane) => boolean): T | undefined {
    const item = this.next(may);
    if (!item) return undefined;
    this.lines[item.lane].shift();
    while (TURNS[this.cursor % TURNS.length] !== item.lane) this.cursor += 1;
    this.cursor = (this.cursor + 1) % TURNS.length;
    return item;
  }

  /** All that wait, lane by lane. */
  items(): T[] {
    return LANES.flatMap((lane) => this.lines[lane]);
  }
}
