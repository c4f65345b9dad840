import type { Stores } from '../../stores/ports';
import type { PostOutcome } from '../../stores/ports/coin-ledger';
import type { Result } from '../../streams/results';
import { dead, drop, ok } from '../../streams/results';
import type { Consumer } from '../consumer';
import { readEntry } from './read-entry';

export interface CoinsDeps {
  stores: Pick<Stores, 'coins'>;
}

const RESULTS: Record<PostOutcome, Result> = {
  posted: ok,
  exists: drop('booked before'),
  gated: drop('booked for this gate within its window'),
};

/** Enough to share group commits. */
const CONCURRENCY = 64;

/**
 * Books refunds, penalties, top-ups and late debits (DESIGN 3.9). Idempotent, since an entry's id is that of its fact;
 * the ledger itself says what is booked already and whose gate is closed.
 */
export function createCoinsConsumer({ stores }: CoinsDeps): Consumer<'coins'> {
  return {
    group: 'coins',
    concurrency: CONCURRENCY,
    async handle(record) {
      const read = readEntry(record.value);
      return read.entry ? RESULTS[await stores.coins.post(read.entry)] : dead(read.fault);
    },
  };
}
