import { SECOND } from '../../lib/clock';
import type { SetBackStore } from '../../stores/ports/set-back';

/** The clocks of two processes may differ by so much, ms. */
const APART = 30 * SECOND;
const COUNTED_UP_TO = 1_000;

/** A sentence about messages that were accepted later than now, null when there is none. */
export async function futureRows(store: Pick<SetBackStore, 'stampedAfter'>, now: number): Promise<string | null> {
  const { count, last } = await store.stampedAfter(now + APART, COUNTED_UP_TO);
  if (count === 0 || last === null) return null;
  const messages = `${count}${count === COUNTED_UP_TO ? ' or more' : ''} ${count === 1 ? 'message was' : 'messages were'}`;
  return `${messages} created in the future, the last at ${new Date(last).toISOString()}: the clock of this machine was ahead then, or is behind now`;
}
